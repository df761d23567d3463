import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type CallName, call, type Input, type Output } from './calls.ts'
import { queries } from './queries.ts'

/** What a reading call answers, kept under its name and input. */
export const useAnswer = <Name extends CallName>(
  name: Name,
  input: Input<Name>,
  {
    /** In milliseconds: repeated while the page is shown. */
    refetchInterval = false,
    /** false for a call that the person has no right to: each refusal is in the audit log. */
    enabled = true,
  }: { refetchInterval?: number | false; enabled?: boolean } = {},
): UseQueryResult<Output<Name>> =>
  useQuery({ queryKey: [name, input], queryFn: () => call(name, input), refetchInterval, enabled })

/** After a change: what these calls answered is read again. */
export const readAgain = (...names: CallName[]): Promise<unknown> =>
  Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })))
