import { Group, Paper, Text } from '@mantine/core'
import type { DescribedKind } from '../../../../model/described-kind.ts'
import type { AnyRecord } from '../../../client/records.ts'
import { Moment } from '../../../components/moment.tsx'
import { RecordLink } from '../../../components/record-link.tsx'
import { StateMark } from '../../../components/state-mark.tsx'
import { acceptance as words } from '../../../copy/acceptance.ts'
import { RecordOperations } from '../../record/operations.tsx'
import styles from './acceptance.module.css'
import type { Acceptance } from './acceptance.ts'
import { Headline } from './headline.tsx'
import { ThenAndNow } from './then-and-now.tsx'

/** An acceptance that is asked for or holds: what it says, what it rests on, and what can be done with it. */
export function AcceptanceCard({
  kind,
  acceptance,
  risk,
}: {
  kind: DescribedKind
  acceptance: Acceptance
  risk: AnyRecord
}) {
  const { id, reference, status, requestedBy, createdAt, decidedAt, justification, conditions } = acceptance
  return (
    <Paper component="article" withBorder p="md" aria-label={reference} className={styles.card}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div className={styles.said}>
          <h3>
            <Headline acceptance={acceptance} />
          </h3>
          <Group gap="xs" className={styles.about}>
            <StateMark kind={kind} field="status" state={status} record={acceptance} />
            <RecordLink kind={kind} id={id}>
              {reference}
            </RecordLink>
            <span>
              <bdi>{words.requestedBy(requestedBy.displayName)}</bdi> <Moment at={createdAt} />
              {decidedAt && (
                <>
                  , {words.decided} <Moment at={decidedAt} />
                </>
              )}
            </span>
          </Group>
        </div>
        <Group gap="xs">
          <RecordOperations kind={kind} record={acceptance} />
        </Group>
      </Group>
      <ThenAndNow acceptance={acceptance} risk={risk} />
      <Said title={words.justification} text={justification} />
      {conditions && <Said title={words.conditions} text={conditions} />}
    </Paper>
  )
}

function Said({ title, text }: { title: string; text: string }) {
  return (
    <section>
      <h4>{title}</h4>
      <Text size="sm" className={styles.text}>
        <bdi>{text}</bdi>
      </Text>
    </section>
  )
}
