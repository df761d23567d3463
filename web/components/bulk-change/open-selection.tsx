import { Anchor, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { call } from '../../client/calls.ts'
import { everyKind } from '../../client/kinds.ts'
import type { BulkChange } from '../../client/send-file.ts'
import { BulkChangeDialog, type BulkEdit } from '../../components/bulk-change/dialog.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { BulkOutcome } from '../../components/record-list/bulk-outcome.tsx'
import { bulkEdit } from '../../copy/imports.ts'
import { jobs as words } from '../../copy/jobs.ts'

/**
 * Opens what a job plans or carries out: the page of an import, or of a selection its plan, its result and the way back.
 * @param show is given a change of a selection, for `SelectionDialog`: the row that this stands in may leave its list
 */
export function OpenBulkChange({
  id,
  title,
  show,
}: {
  id: string
  title: string
  show: (bulk: BulkChange) => void
}) {
  const navigate = useNavigate()
  const opening = useMutation({
    mutationFn: () => call('getBulkChange', { id }),
    onSuccess: (bulk) => {
      if (bulk.origin === 'selection') show(bulk)
      else void navigate({ to: `/import/${kindOf(bulk).page}` as '/', search: { id } as never })
    },
  })
  return (
    <>
      <Anchor
        component="button"
        type="button"
        size="sm"
        aria-label={words.openOf(title)}
        onClick={() => opening.mutate()}
      >
        {words.open}
      </Anchor>
      <ProblemAlert error={opening.error} />
    </>
  )
}

const kindOf = ({ type }: BulkChange) => everyKind.find(({ name }) => name === type)!

/** What a change of a selection would do, or has done, and the way back. */
export function SelectionDialog({ bulk, close }: { bulk: BulkChange; close: () => void }) {
  const [edit, setEdit] = useState<BulkEdit | null>(
    bulk.stage === 'applied' ? null : { count: bulk.rowCount, begun: bulk.id },
  )
  const [done, setDone] = useState({ bulk, isUndo: false })
  const isUndo = edit !== null && 'undoes' in edit
  const applied = useCallback(
    (after: BulkChange) => {
      setDone({ bulk: after, isUndo })
      setEdit(null)
    },
    [isUndo],
  )
  if (edit) return <BulkChangeDialog kind={kindOf(bulk)} edit={edit} applied={applied} close={close} />
  return (
    <Modal opened onClose={close} title={bulkEdit.title(bulk.rowCount, kindOf(bulk).noun)} size="lg">
      <BulkOutcome {...done} undo={(count) => setEdit({ count, undoes: done.bulk.id })} close={close} />
    </Modal>
  )
}
