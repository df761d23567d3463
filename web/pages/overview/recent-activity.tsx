import { Anchor, Text } from '@mantine/core'
import { actorTold } from '../../client/audit-sentence.ts'
import type { Output } from '../../client/calls.ts'
import { kindOf, verbOf } from '../../client/journal.ts'
import { listAddress } from '../../client/list-address.ts'
import { useSignedIn } from '../../client/session.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { useKind } from '../../client/use-kind.ts'
import { AppLink } from '../../components/app-link.tsx'
import { AuditSentence } from '../../components/audit-sentence.tsx'
import { Card } from '../../components/card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Moment } from '../../components/moment.tsx'
import { countedRecords } from '../../copy/counts.ts'
import { overview } from '../../copy/overview.ts'
import { valueWord } from '../../copy/records.ts'
import styles from './recent-activity.module.css'

const words = overview.activity
const SHOWN = 8

type Line = Output<'getRecentActivity'>['data'][number]

/** What was done last; what somebody did to many records in one go is one line. */
export function RecentActivity() {
  const { capabilities } = useSignedIn()
  const activity = useAnswer('getRecentActivity', {})
  const all = capabilities.includes('settings.manage') && (
    <Anchor component={AppLink} href="/settings/audit-log" size="sm">
      {words.all}
    </Anchor>
  )
  return (
    <Card title={words.title} action={all}>
      <Loaded query={activity} lines={SHOWN}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed">
              {words.none}
            </Text>
          ) : (
            <ul className={styles.lines} aria-label={words.title}>
              {data.map((line) => (
                <li key={`${line.time} ${line.action} ${line.subject.id}`}>
                  <span className={styles.what}>
                    <Told line={line} />
                  </span>
                  <span className={styles.when}>
                    <Moment at={line.time} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function Told({ line }: { line: Line }) {
  const { action, actor, count, isMore, state, subject } = line
  const kind = useKind(kindOf(subject.type))
  const many = words.many[verbOf(action)]
  if (count === 1 || !kind || !many) return <AuditSentence event={line as never} />
  const machine = kind.states.find(({ next }) => state !== null && state in next)
  const states = machine ? { [machine.field]: state! } : {}
  return (
    <>
      <b>
        <bdi>{actorTold(actor)}</bdi>
      </b>{' '}
      {state === null ? many : words.set}{' '}
      <Anchor component={AppLink} href={listAddress(kind, { ...states, sort: '-updatedAt' })} inherit>
        {words.count(countedRecords(count, kind.noun), isMore)}
      </Anchor>
      {state !== null && ` ${words.to(valueWord(state))}`}
    </>
  )
}
