import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type CallName, call, type Input, type Output } from './calls.ts'
import { queries } from './queries.ts'

/** What a reading call answers, kept under its name and input. */
export const useAnswer = <Name extends CallName>(
  name: Name,
  input: Input<Name>,
  /** In milliseconds: asked again and again while somebody looks. */
  { refetchInterval = false }: { refetchInterval?: number | false } = {},
): UseQueryResult<Output<Name>> =>
  useQuery({ queryKey: [name, input], queryFn: () => call(name, input), refetchInterval })

/** After a change: what these calls answered is read again. */
export const readAgain = (...names: CallName[]): Promise<unknown> =>
  Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })))
