import { Alert, Button, Group, SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { DescribedKind } from '../../../model/described-kind.ts'
import type { Field } from '../../client/fields.ts'
import type { AnyRecord } from '../../client/records.ts'
import { FactValue } from '../../components/fact-value.tsx'
import { Moment } from '../../components/moment.tsx'
import { actorName } from '../../copy/journal.ts'
import { record as words } from '../../copy/record.ts'
import styles from './record.module.css'
import { withChange } from './record-change.ts'
import type { Edits } from './use-record-edits.ts'

/**
 * What became of an edit that did not go through: why, or both values to choose from.
 * @param shown a side of the choice, where the value of the field alone is not all of it
 */
export function EditTold({
  kind,
  field,
  edits,
  shown = (record) => <FactValue kind={kind} field={field} record={record} />,
}: {
  kind: DescribedKind
  field: Field
  edits: Edits
  shown?: (record: AnyRecord) => ReactNode
}) {
  const edit = edits.of(field.name)
  const drop = () => edits.drop(field.name)
  if (edit?.state === 'refused')
    return (
      <Alert color="red" role="alert" mt={6} p="xs" className={styles.told}>
        <Group gap="xs" justify="space-between" wrap="nowrap" align="flex-start">
          <Text size="sm">{edit.message}</Text>
          <Button size="compact-xs" variant="default" flex="none" onClick={drop}>
            {words.dismiss}
          </Button>
        </Group>
      </Alert>
    )
  if (edit?.state !== 'conflict') return null
  const { theirs, change } = edit
  const by = theirs.updatedBy as { type: string; displayName: string }
  return (
    <Alert
      color="yellow"
      role="alert"
      mt={6}
      p="sm"
      className={styles.told}
      title={
        <>
          {words.conflict.title(actorName(by))}, <Moment at={theirs.updatedAt} />
        </>
      }
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <section aria-label={words.conflict.theirs}>
          <Text size="xs" c="dimmed">
            {words.conflict.theirs}
          </Text>
          {shown(theirs)}
        </section>
        <section aria-label={words.conflict.mine}>
          <Text size="xs" c="dimmed">
            {words.conflict.mine}
          </Text>
          {shown(withChange(theirs, change))}
        </section>
      </SimpleGrid>
      <Group gap="xs" mt="sm">
        <Button size="compact-sm" variant="default" onClick={drop}>
          {words.conflict.keepTheirs}
        </Button>
        <Button size="compact-sm" onClick={() => edits.save(change, theirs)}>
          {words.conflict.useMine}
        </Button>
      </Group>
    </Alert>
  )
}
