import { Alert, Button, Stack } from '@mantine/core'
import type { BulkChange } from '../../client/send-file.ts'
import { bulk } from '../../copy/bulk.ts'
import { buttons } from '../../copy/buttons.ts'
import { bulkEdit, importing } from '../../copy/imports.ts'
import { ProblemGroups } from '../bulk-change/groups.tsx'

const words = bulk

/** What became of a change of many, and the way back. */
export function BulkOutcome({
  bulk,
  isUndo,
  undo,
  close,
}: {
  bulk: BulkChange
  isUndo: boolean
  undo: (count: number) => void
  close: () => void
}) {
  const { changed = 0, deleted = 0, refused = 0 } = bulk.done ?? {}
  const { error = 0, leave = 0 } = bulk.planned ?? {}
  const faults = refused + error
  const title = [
    (isUndo ? words.undone : words.done)(changed + deleted),
    ...(faults > 0 ? [(isUndo ? words.notUndone : words.faults)(faults)] : []),
    ...(bulk.left > 0 ? [words.notReached(bulk.left)] : []),
    ...(leave > 0 && !isUndo ? [importing.plan.counts.leave(leave)] : []),
  ]
  return (
    <Alert
      color={refused > 0 ? 'red' : 'indigo'}
      role={refused > 0 ? 'alert' : 'status'}
      title={title.join(' · ')}
      withCloseButton
      closeButtonLabel={buttons.close}
      onClose={close}
      mb="xs"
    >
      <Stack gap="xs" align="flex-start" mah={240} style={{ overflowY: 'auto' }}>
        {/* What the plan has told already is not told again. */}
        {refused > 0 && <ProblemGroups bulk={bulk} title={bulkEdit.left} />}
        {!isUndo && changed > 0 && (
          <Button size="compact-sm" variant="default" onClick={() => undo(changed)}>
            {words.undo(changed)}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
