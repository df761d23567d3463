import type { DialogProps } from '../record/dialog-props.ts'
import { OperationDialog } from '../record/operation-dialog.tsx'
import { ByPrograms } from './by-programs.tsx'
import type { Version } from './version.ts'

/** Approves a version: that a program wrote in it is said before. */
export function ApproveDialog(props: DialogProps) {
  return (
    <OperationDialog {...props}>
      <ByPrograms version={props.record as Version} />
    </OperationDialog>
  )
}
