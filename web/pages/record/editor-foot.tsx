import { Button, Group } from '@mantine/core'
import { buttons } from '../../copy/buttons.ts'
import { record as words } from '../../copy/record.ts'

/** What ends a small form that changes a record in its place: saving what was typed, and leaving all as it is. */
export function EditorFoot({ close }: { close: () => void }) {
  return (
    <Group gap="xs" mt={6}>
      <Button type="submit" size="compact-sm">
        {words.save}
      </Button>
      <Button variant="default" size="compact-sm" onClick={close}>
        {buttons.cancel}
      </Button>
    </Group>
  )
}
