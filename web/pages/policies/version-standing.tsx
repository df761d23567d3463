import { Alert, Button, Group, Text } from '@mantine/core'
import type { AnyRecord } from '../../client/records.ts'
import { DatedMoment } from '../../components/moment.tsx'
import { policies } from '../../copy/policies.ts'
import { valueWord } from '../../copy/records.ts'
import { useDecisions } from './approval.tsx'
import { isInTheMaking, type Version } from './version.ts'

const words = policies.text

/** What is to be known before the text is read: that it is not in force, or that somebody found it wrong. */
export function VersionStanding({
  policy,
  version,
  inMaking,
  show,
}: {
  policy: AnyRecord
  version: Version
  inMaking: Version | null
  show: (id: string) => void
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
  const told =
    version.status === 'discarded'
      ? words.discarded
      : label === null
        ? null
        : version.status === 'superseded'
          ? words.overtaken(label)
          : isInTheMaking(version)
            ? words.inForce(label)
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
      <bdi>{rejectionReason}</bdi>
    </Alert>
  )
}
