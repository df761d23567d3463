import type { KindEntry } from '../../../model/described-kind.ts'
import { deadlineOf, ownerOf } from '../../../model/roles.ts'
import { type Filters, listAddress, open } from '../../client/list-address.ts'
import type { RecordSummary } from '../../client/records.ts'
import { AppLink } from '../../components/app-link.tsx'
import { Card } from '../../components/card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { countWord } from '../../copy/counts.ts'
import { overview } from '../../copy/overview.ts'
import { registerWords } from '../../copy/records.ts'
import styles from './figures.module.css'

const words = overview.everybody

/** What the overview asks of a register, at once for all of its cards. */
export const countedOf = (kind: KindEntry): string[] => [
  'total',
  ...(deadlineOf(kind) ? ['due'] : []),
  ...(ownerOf(kind) ? ['ownerless'] : []),
]

/** What is late, near, or nobody's, of everybody. */
export function NeedsSomebody({
  kinds,
  summaries,
}: {
  kinds: readonly KindEntry[]
  summaries: Parameters<typeof Loaded<RecordSummary[]>>[0]['query']
}) {
  return (
    <Card title={words.title} text={words.text}>
      <Loaded query={summaries} lines={kinds.length}>
        {(data) => (
          <table className={styles.table} aria-label={words.title}>
            <thead>
              <tr>
                <th scope="col">{words.kind}</th>
                <th scope="col">{words.overdue}</th>
                <th scope="col">{words.soon}</th>
                <th scope="col">{words.ownerless}</th>
              </tr>
            </thead>
            <tbody>
              {kinds.map((kind, at) => {
                const { due, ownerless } = data[at]!
                if (!due && ownerless === undefined) return null
                return (
                  <tr key={kind.name}>
                    <th scope="row">
                      <AppLink href={listAddress(kind)}>{registerWords(kind).title}</AppLink>
                    </th>
                    <Figure kind={kind} count={due?.overdue} filters={{ due: 'overdue' }} alarming />
                    <Figure kind={kind} count={due?.soon} filters={{ due: 'soon' }} />
                    <Figure kind={kind} count={ownerless} filters={{ ...open(kind), owned: false }} />
                  </tr>
                )
              })}
            </tbody>
          </table>
        )}
      </Loaded>
    </Card>
  )
}

function Figure({
  kind,
  count,
  filters,
  alarming = false,
}: {
  kind: KindEntry
  count: number | undefined
  filters: Filters
  alarming?: boolean
}) {
  if (count === undefined) return <td>–</td>
  return (
    <td>
      <AppLink
        href={listAddress(kind, filters)}
        data-zero={count === 0}
        data-alarming={alarming && count > 0}
      >
        {countWord(count)}
      </AppLink>
    </td>
  )
}
