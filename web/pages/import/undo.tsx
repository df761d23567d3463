import { Button, Text } from '@mantine/core'
import { useCallback, useState } from 'react'
import type { KindEntry } from '../../../model/described-kind.ts'
import { readRecordsAgain } from '../../client/records.ts'
import type { BulkChange } from '../../client/send-file.ts'
import { readAgain } from '../../client/use-answer.ts'
import { BulkChangeDialog, type BulkEdit } from '../../components/bulk-change/dialog.tsx'
import { ProblemGroups } from '../../components/bulk-change/groups.tsx'
import { BulkOutcome } from '../../components/record-list/bulk-outcome.tsx'
import { bulkEdit, importing } from '../../copy/imports.ts'

const words = importing.done

/** Takes back what an import has written, and tells what could not be. */
export function UndoImport({ bulk, kind }: { bulk: BulkChange; kind: KindEntry }) {
  const [edit, setEdit] = useState<BulkEdit | null>(null)
  const [done, setDone] = useState<BulkChange | null>(null)
  const { created = 0, changed = 0 } = bulk.done ?? {}
  const applied = useCallback(
    (after: BulkChange) => {
      setDone(after)
      setEdit(null)
      void readAgain('getBulkChange', 'listBulkChanges')
      void readRecordsAgain(kind)
    },
    [kind],
  )
  if (created + changed === 0) return null
  const standing = bulk.standing ?? created + changed
  const canUndo = bulk.undoState !== 'running' && standing > 0
  return (
    <>
      {done && <BulkOutcome bulk={done} isUndo undo={() => {}} close={() => setDone(null)} />}
      {done && !done.done?.refused && <ProblemGroups bulk={done} title={bulkEdit.left} />}
      {bulk.undoState !== null && !done && (
        <Text size="sm" role="status">
          {words.undoStates[bulk.undoState](standing)}
        </Text>
      )}
      {canUndo && (
        <Button
          variant="default"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => setEdit({ count: standing, undoes: bulk.id, file: bulk.file?.name })}
        >
          {bulk.undoState === null ? words.undo : words.undoRest}
        </Button>
      )}
      {edit && <BulkChangeDialog kind={kind} edit={edit} applied={applied} close={() => setEdit(null)} />}
    </>
  )
}
