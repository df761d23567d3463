import { useNavigate } from '@tanstack/react-router'
import { recordAddress } from '../../client/list-address.ts'
import { MergeDialog } from '../../components/merge-dialog.tsx'
import type { DialogProps } from './dialog-props.ts'

/** Merges the record with another, and goes to the one that stays. */
export function MergeOfOne({ kind, record, close }: DialogProps) {
  const navigate = useNavigate()
  const merged = (kept: string) => void navigate({ to: recordAddress(kind, kept) as '/' })
  return <MergeDialog kind={kind} records={[record]} merged={merged} close={close} />
}
