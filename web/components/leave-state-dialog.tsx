import type { DescribedKind } from '../../model/described-kind.ts'
import { nameOf } from '../../model/roles.ts'
import type { StateMachine } from '../../model/states.ts'
import type { AnyRecord } from '../client/records.ts'
import { archiving as words } from '../copy/archiving.ts'
import { lower, valueWord } from '../copy/records.ts'
import { DangerDialog } from './danger-dialog.tsx'
import { ProofLost } from './proof-lost.tsx'

/** Says what follows before a record is archived by its state, or leaves that which somebody decided on. */
export function LeaveStateDialog({
  kind,
  machine: { field, archived },
  record,
  state,
  send,
  close,
}: {
  kind: DescribedKind
  machine: StateMachine
  record: AnyRecord
  state: string
  send: () => Promise<unknown>
  close: () => void
}) {
  const isArchived = state === archived?.state
  const name = nameOf(kind, record)
  const from = String(record[field])
  return (
    <DangerDialog
      title={
        isArchived
          ? words.archive.title(record.reference)
          : words.leaving.title(record.reference, lower(valueWord(state)))
      }
      text={
        isArchived
          ? [words.archive.text(name), words.comesBack(valueWord(archived!.back))].join(' ')
          : words.leaving.text(name, lower(valueWord(from)))
      }
      verb={isArchived ? words.archive.submit(kind.noun) : words.leaving.submit(lower(valueWord(state)))}
      act={send}
      close={close}
    >
      <ProofLost kind={kind} record={record} />
    </DangerDialog>
  )
}
