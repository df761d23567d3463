import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { AnyRecord } from '../../client/records.ts'
import { DatedMoment } from '../../components/moment.tsx'
import { policies } from '../../copy/policies.ts'
import { valueWord } from '../../copy/records.ts'
import { useDecisions } from './approval.tsx'
import styles from './policies.module.css'
import { isInTheMaking, type Version } from './version.ts'

const words = policies.text

/** What is to be known before the text is read: that it is not in force, or that somebody found it wrong. */
export function VersionStanding({
  policy,
  version,
  inMaking,
  show,
  compare,
}: {
  policy: AnyRecord
  version: Version
  inMaking: Version | null
  show: (id: string) => void
  /** Shows what changed since that one; null, where something is compared already. */
  compare: ((id: string) => void) | null
}) {
  const label = policy.currentVersionId === null ? null : String(policy.versionLabel)
  if (version.rejectionReason && version.status === 'draft') return <Rejected version={version} />
  if (inMaking && version.id === policy.currentVersionId)
    return (
      <Group gap="xs">
        <Text size="sm">{words.nextInMaking(inMaking.label, valueWord(inMaking.status))}</Text>
        <Button variant="subtle" size="compact-sm" onClick={() => show(inMaking.id)}>
          {words.lookAt(inMaking.label)}
        </Button>
      </Group>
    )
  if (label !== null && isInTheMaking(version))
    return (
      <Stack gap={2}>
        <Group gap="xs">
          <Text size="sm">{words.inForce(label)}</Text>
          {compare && (
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => compare(String(policy.currentVersionId))}
            >
              {words.since(label)}
            </Button>
          )}
        </Group>
        {version.changelog && (
          <Text size="sm">
            {words.changelog}: <bdi className={styles.lines}>{version.changelog}</bdi>
          </Text>
        )}
      </Stack>
    )
  const told =
    version.status === 'discarded'
      ? words.discarded
      : label === null
        ? null
        : version.status === 'superseded'
          ? words.overtaken(label)
          : null
  return told && <Text size="sm">{told}</Text>
}

/** By whom a draft was rejected, when, and why. */
function Rejected({ version }: { version: Version }) {
  const { rejectionReason } = version
  const decided = useDecisions(version)
    .filter(({ status }) => status === 'rejected')
    .toSorted((one, other) => (String(one.decidedAt) < String(other.decidedAt) ? 1 : -1))
  const [last] = decided
  return (
    <Alert
      color="red"
      variant="light"
      title={
        last ? (
          <>
            {words.rejectedBy} <bdi>{last.approverName ?? last.approver.displayName}</bdi>,{' '}
            <DatedMoment at={last.decidedAt!} />
          </>
        ) : (
          words.rejected
        )
      }
    >
      <bdi className={styles.lines}>{rejectionReason}</bdi>
    </Alert>
  )
}
