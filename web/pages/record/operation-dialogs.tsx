import { type ComponentType, lazy } from 'react'
import { fetchCode } from '../../client/fetch-code.ts'
import type { DialogProps } from './dialog-props.ts'
import { OperationDialog } from './operation-dialog.tsx'

/** Of an operation that a form of its inputs would not tell enough of. */
const DIALOGS: Readonly<Record<string, ComponentType<DialogProps>>> = {
  approveRiskAcceptance: lazy(() =>
    fetchCode(() => import('../risks/acceptance/approve-dialog.tsx')).then((code) => ({
      default: code.ApproveDialog,
    })),
  ),
  activateFramework: lazy(() =>
    fetchCode(() => import('../frameworks/activate-dialog.tsx')).then((code) => ({
      default: code.ActivateDialog,
    })),
  ),
  planFrameworkGaps: lazy(() =>
    fetchCode(() => import('../frameworks/gaps-dialog.tsx')).then((code) => ({ default: code.GapsDialog })),
  ),
  approvePolicyVersion: lazy(() =>
    fetchCode(() => import('../policies/approve-dialog.tsx')).then((code) => ({
      default: code.ApproveDialog,
    })),
  ),
  publishPolicyVersion: lazy(() =>
    fetchCode(() => import('../policies/publish-dialog.tsx')).then((code) => ({
      default: code.PublishDialog,
    })),
  ),
  retirePolicy: lazy(() =>
    fetchCode(() => import('../policies/retire-dialog.tsx')).then((code) => ({
      default: code.RetireDialog,
    })),
  ),
  mergeVendor: lazy(() =>
    fetchCode(() => import('./merge-of-one.tsx')).then((code) => ({ default: code.MergeOfOne })),
  ),
}

/** The dialog of an operation on a record: its own, or the form of its inputs. */
export function DialogOf(props: DialogProps) {
  const Dialog = DIALOGS[props.operation.name] ?? OperationDialog
  return <Dialog {...props} />
}
