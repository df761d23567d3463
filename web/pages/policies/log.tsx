import { Anchor, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { kindIndex } from '../../client/kinds.ts'
import { type AnyRecord, archivedWith, recordQuery } from '../../client/records.ts'
import { type Row, rowsOf, usePages } from '../../client/use-pages.ts'
import { AppLink } from '../../components/app-link.tsx'
import { Changes } from '../../components/changes.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Moment } from '../../components/moment.tsx'
import { MorePages } from '../../components/more-pages.tsx'
import { actorName } from '../../copy/journal.ts'
import { policies } from '../../copy/policies.ts'
import styles from './policies.module.css'

const words = policies.log

type Entry = Row<'getPolicyLog'>

/** What happened to a policy, to its versions and its exceptions, as one list. */
export function PolicyLog({ policy }: { policy: AnyRecord }) {
  const { id } = policy
  const log = usePages('getPolicyLog', { id })
  const versions = useQuery(
    recordQuery(kindIndex.policy_version, 'list', { policyId: [id], ...archivedWith(policy), limit: 200 }),
  )
  const labels = new Map(versions.data?.data.map(({ id, label }) => [id, String(label)]))
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {words.text}
      </Text>
      <Loaded query={log} lines={6}>
        {(data) => (
          <>
            <Paper withBorder component="ol" className={styles.log} aria-label={words.label}>
              {rowsOf(data).map((entry) => (
                <LogEntry key={entry.id} policyId={id} entry={entry} labels={labels} />
              ))}
            </Paper>
            <MorePages of={log} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}

function LogEntry({
  policyId,
  entry,
  labels,
}: {
  policyId: string
  entry: Entry
  /** Of the versions, by their ids. */
  labels: ReadonlyMap<string, string>
}) {
  const { actor, event, versionId, exceptionId, changes, comment, time } = entry
  return (
    <li>
      <Text size="sm">
        <Text span fw={500}>
          <bdi>{actorName(actor)}</bdi>
        </Text>{' '}
        {told(entry)}{' '}
        {versionId ? (
          <Anchor
            component={AppLink}
            href={`/${kindIndex.policy.page}/${policyId}?version=${versionId}`}
            inherit
          >
            {words.version} {labels.get(versionId) ?? ''}
          </Anchor>
        ) : (
          OF_THE_POLICY.has(event) && words.thePolicy
        )}
        {exceptionId ? (
          <Anchor component={AppLink} href={`/${kindIndex.policy_exception.page}/${exceptionId}`} inherit>
            {words.exception}
          </Anchor>
        ) : (
          event.startsWith('exception_') && words.exception
        )}
      </Text>
      <Text size="xs" c="dimmed" className={styles.when}>
        <Moment at={time} />
      </Text>
      {comment && (
        <Text size="sm" c="dimmed" className={styles.said}>
          <bdi className={styles.lines}>{comment}</bdi>
        </Text>
      )}
      {ITS_FIELDS.has(event) && !versionId && !exceptionId && (
        <Changes type="policy" action="policy.update" changes={changes} />
      )}
    </li>
  )
}

/** What somebody did, and to how many or whom, where the entry has that. */
function told({ event, changes, whose }: Entry): string {
  const { asked, ended, person, status } = changes ?? {}
  if (event === 'voided' && whose) return words.voided(whose, status?.from !== 'pending')
  if (whose && words.links[event]) return words.links[event](whose)
  if (event === 'attestation_requested' && asked?.to) return words.asked(asked.to as number)
  if (event === 'attestation_ended' && ended?.to) return words.ended(ended.to as number)
  if (event === 'attestation_exempted' && person?.to) return words.exempted(String(person.to))
  if (event === 'attestation_reminded' && person?.to) return words.reminded(String(person.to))
  return words.events[event]
}

/** Their version is named behind them, or else the policy. */
const OF_THE_POLICY: ReadonlySet<string> = new Set([
  'edited',
  'attestation_requested',
  'attestation_acknowledged',
  'attestation_exempted',
])

const ITS_FIELDS: ReadonlySet<string> = new Set([
  'edited',
  'owner_changed',
  'approver_changed',
  'review_date_changed',
])
