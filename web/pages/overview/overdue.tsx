import type { KindEntry } from '../../../model/described-kind.ts'
import { deadlineOf } from '../../../model/roles.ts'
import type { Deadline } from '../../client/deadlines.ts'
import { listAddress } from '../../client/list-address.ts'
import { AppLink } from '../../components/app-link.tsx'
import { Card } from '../../components/card.tsx'
import { PrincipalMark } from '../../components/principal-mark.tsx'
import { RecordRows, Standing } from '../../components/record-rows.tsx'
import { countWord } from '../../copy/counts.ts'
import { overview } from '../../copy/overview.ts'
import { registerWords } from '../../copy/records.ts'
import styles from './overdue.module.css'

const words = overview.overdue

/** What the card asks for. */
export const LONGEST_OVERDUE = { bucket: ['late' as const], limit: 5 }

interface Late {
  readonly kind: KindEntry
  readonly count: number
}

/** What is late, whoever owns it: how much of each register, and what has waited longest. */
export function Overdue({ late, longest }: { late: readonly Late[]; longest: readonly Deadline[] }) {
  return (
    <Card title={words.title} text={words.text}>
      <div className={styles.parts}>
        <div className={styles.figures}>
          {late.map(({ kind, count }) => (
            <AppLink
              key={kind.name}
              href={listAddress(kind, { due: ['overdue'], sort: deadlineOf(kind)! })}
              className={styles.figure}
            >
              <b>{countWord(count)}</b> {words.figure(registerWords(kind)[count === 1 ? 'one' : 'many'])}
            </AppLink>
          ))}
        </div>
        <RecordRows label={words.longest} rows={longest} aside={OwnerAndDate} />
      </div>
    </Card>
  )
}

const OwnerAndDate = ({ owner, date, bucket }: Deadline) => (
  <>
    {owner && <PrincipalMark principal={owner} />}
    <Standing state={null} date={date} bucket={bucket} />
  </>
)
