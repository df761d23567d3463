import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { DescribedKind } from '../../model/described-kind.ts'
import { fieldsOf } from '../client/fields.ts'
import type { AnyRecord } from '../client/records.ts'
import { buttons } from '../copy/buttons.ts'
import { meanwhile } from '../copy/problems.ts'
import { valueWord } from '../copy/records.ts'

/** In place of a dialog about a record that others led out of the state in which it could be done. */
export function OverNotice({
  title,
  kind,
  record,
  field,
  close,
}: {
  title: string
  kind: DescribedKind
  record: AnyRecord
  /** The field with the state that it is in now. */
  field: string
  close: () => void
}) {
  return (
    <Modal opened onClose={close} title={title} withCloseButton={false}>
      <Stack>
        <Text size="sm" role="alert">
          {meanwhile.over(fieldsOf(kind).get(field)!.title, valueWord(String(record[field])))}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {buttons.close}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
