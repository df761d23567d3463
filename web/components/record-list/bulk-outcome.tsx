import { Alert, Button, Stack, Text } from '@mantine/core'
import { buttons } from '../../copy/buttons.ts'
import { records } from '../../copy/records.ts'
import { skippedBecause } from '../skipped-because.ts'
import type { Done, Run } from './change-each.ts'

const FAULTS_SHOWN = 5
const words = records.bulk

/** Those that are another version now. */
export const movedIn = ({ done }: Run): Done[] =>
  done.filter(({ before, after }) => after.version !== before.version)

/** What became of a change of many, and the way back. */
export function BulkOutcome({
  run,
  left,
  isUndo,
  undo,
  close,
}: {
  run: Run
  /** Which were not tried, and why. */
  left: readonly string[]
  isUndo: boolean
  undo: () => void
  close: () => void
}) {
  const { faults, all, done } = run
  const changed = movedIn(run).length
  const untried = all - done.length - faults.length
  const title = [
    (isUndo ? words.undone : words.done)(changed),
    ...(faults.length > 0 ? [(isUndo ? words.notUndone : words.faults)(faults.length)] : []),
    ...(untried > 0 ? [words.untried(untried)] : []),
  ]
  return (
    <Alert
      color={faults.length > 0 ? 'red' : 'indigo'}
      role={faults.length > 0 ? 'alert' : 'status'}
      title={title.join(' · ')}
      withCloseButton
      closeButtonLabel={buttons.close}
      onClose={close}
      mb="xs"
    >
      <Stack gap={2} align="flex-start" mah={200} style={{ overflowY: 'auto' }}>
        {left.map((line) => (
          <Text key={line} size="sm">
            {line}
          </Text>
        ))}
        {faults.slice(0, FAULTS_SHOWN).map(({ reference, error }) => (
          <Text key={reference} size="sm">
            <b>{reference}</b>: {skippedBecause(error)}
          </Text>
        ))}
        {faults.length > FAULTS_SHOWN && (
          <Text size="sm">{words.andMore(faults.slice(FAULTS_SHOWN).map(({ reference }) => reference))}</Text>
        )}
        {!isUndo && changed > 0 && (
          <Button size="compact-sm" variant="default" mt={4} onClick={undo}>
            {words.undo(changed)}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
