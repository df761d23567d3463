import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { call } from '../../client/calls.ts'
import { everyKind } from '../../client/kinds.ts'
import type { BulkChange } from '../../client/send-file.ts'
import { Loaded } from '../loaded.tsx'
import { BulkOutcome } from '../record-list/bulk-outcome.tsx'
import { BulkChangeDialog, type BulkEdit } from './dialog.tsx'

/** What a change of a selection would do, or has done, and the way back. */
export function OpenSelection({ id, title, close }: { id: string; title: string; close: () => void }) {
  const query = useQuery({
    queryKey: ['getBulkChange', { id }],
    queryFn: () => call('getBulkChange', { id }),
  })
  if (query.data) return <Opened bulk={query.data} title={title} close={close} />
  return (
    <Modal opened onClose={close} title={title} size="lg">
      <Loaded query={query}>{() => null}</Loaded>
    </Modal>
  )
}

function Opened({ bulk, title, close }: { bulk: BulkChange; title: string; close: () => void }) {
  const kind = everyKind.find(({ name }) => name === bulk.type)!
  const [edit, setEdit] = useState<BulkEdit | null>(
    bulk.stage === 'applied' ? null : { count: bulk.rowCount, begun: bulk.id },
  )
  const [done, setDone] = useState({ bulk, isUndo: bulk.undoes !== null })
  const isUndo = bulk.undoes !== null || (edit !== null && 'undoes' in edit)
  const applied = useCallback(
    (after: BulkChange) => {
      setDone({ bulk: after, isUndo })
      setEdit(null)
    },
    [isUndo],
  )
  if (edit) return <BulkChangeDialog kind={kind} edit={edit} applied={applied} close={close} />
  return (
    <Modal opened onClose={close} title={title} size="lg">
      <BulkOutcome {...done} undo={(count) => setEdit({ count, undoes: done.bulk.id })} close={close} />
    </Modal>
  )
}
