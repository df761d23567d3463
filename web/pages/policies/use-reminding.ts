import { useMutation } from '@tanstack/react-query'
import type { Output } from '../../client/calls.ts'
import { readAgain } from '../../client/use-answer.ts'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { acknowledgement } from '../../copy/acknowledgement.ts'

const words = acknowledgement.round

/** Reminds all who have yet to acknowledge a policy, or one of them; and tells what came of it. */
export function useReminding(policyId: string) {
  const guarded = useGuardedCall()
  const { mutate, data, error, isPending, variables } = useMutation({
    mutationFn: (attestationId: string | null) =>
      guarded('remindAttestations', { policyId, ...(attestationId !== null && { attestationId }) }),
    onSuccess: () => readAgain('listAttestations', 'listGuestPasses'),
  })
  return {
    remind: mutate,
    error,
    /** The request that is about to be reminded of; null for all of them, undefined for none. */
    reminding: isPending ? variables : undefined,
    told: data && told(data),
  }
}

/** Who was reached, as far as is known, and who was not so far. */
const told = ({ reminded, skipped, returned, toHandOver }: Output<'remindAttestations'>): string => {
  const reached = reminded - returned.length
  if (reminded + toHandOver + skipped + returned.length === 0) return words.noneOpen
  return [
    ...(reached > 0 ? [words.reminded(reached)] : []),
    ...(toHandOver > 0 ? [words.toHandOver(toHandOver)] : []),
    ...(skipped > 0 ? [words.skipped(skipped)] : []),
    ...(returned.length > 0 ? [words.returned(returned.map(({ name }) => name ?? words.hidden))] : []),
  ].join(' ')
}
