import { Text } from '@mantine/core'
import type { Flag, KindEntry } from '../../../model/described-kind.ts'
import type { Output } from '../../client/calls.ts'
import { everyKind } from '../../client/kinds.ts'
import { type Filters, listAddress, open } from '../../client/list-address.ts'
import { AppLink } from '../../components/app-link.tsx'
import { Card } from '../../components/card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { countWord } from '../../copy/counts.ts'
import { overview } from '../../copy/overview.ts'
import { registerWords } from '../../copy/records.ts'
import styles from './figures.module.css'

const words = overview.everybody

type Summaries = Output<'summarizeRegisters'>
type Register = Summaries['data'][number] & { readonly kind: KindEntry }

const registersOf = ({ data }: Summaries): Register[] =>
  data.flatMap((one) => {
    const kind = everyKind.find(({ name }) => name === one.type)
    return kind ? [{ ...one, kind }] : []
  })

const hasFigures = ({ due, ownerless = 0 }: Register): boolean =>
  (due?.overdue ?? 0) + (due?.soon ?? 0) + ownerless > 0

/** What is overdue, due soon or unassigned in each register; registers in which nothing is are left out. */
export function NeedsSomebody({
  summaries,
}: {
  summaries: Parameters<typeof Loaded<Summaries>>[0]['query']
}) {
  return (
    <Card title={words.title} text={words.text}>
      <Loaded query={summaries} lines={12}>
        {(data) => (
          <>
            {registersOf(data).some(hasFigures) ? (
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
                  {registersOf(data)
                    .filter(hasFigures)
                    .map(({ kind, due, ownerless }) => (
                      <tr key={kind.name}>
                        <th scope="row">
                          <AppLink href={listAddress(kind)}>{registerWords(kind).title}</AppLink>
                        </th>
                        <Figure kind={kind} count={due?.overdue} filters={{ due: 'overdue' }} alarming />
                        <Figure kind={kind} count={due?.soon} filters={{ due: 'soon' }} />
                        <Figure kind={kind} count={ownerless} filters={{ ...open(kind), owned: false }} />
                      </tr>
                    ))}
                </tbody>
              </table>
            ) : (
              <Text size="sm">{words.none}</Text>
            )}
            <Asking registers={registersOf(data)} />
          </>
        )}
      </Loaded>
    </Card>
  )
}

/** What else asks somebody to see to it, where there is anything. */
function Asking({ registers }: { registers: readonly Register[] }) {
  const asking = registers.flatMap(({ kind, attention }) =>
    (kind.attention ?? []).flatMap((flag) => {
      const count = attention?.[flag.name] ?? 0
      return count > 0 ? [{ kind, flag, count }] : []
    }),
  )
  if (asking.length === 0) return null
  return (
    <ul className={styles.asking} aria-label={words.asking}>
      {asking.map(({ kind, flag, count }) => {
        const { one, many } = registerWords(kind)
        return (
          <li key={`${kind.name} ${flag.name}`}>
            <AppLink
              className={styles.asks}
              href={listAddress(kind, { ...statesOf(flag), [flag.name]: true })}
            >
              {words.asks(count, count === 1 ? one : many, flag.title)}
            </AppLink>
          </li>
        )
      })}
    </ul>
  )
}

const statesOf = ({ states }: Flag): Filters =>
  Object.fromEntries(Object.entries(states).map(([field, values]) => [field, values.map(String)]))

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
