import { QueryObserver } from '@tanstack/react-query'
import { type CallName, call, type Input, type Output } from '../../client/calls.ts'
import { Problem } from '../../client/problem.ts'
import { queries } from '../../client/queries.ts'
import { frameworks } from '../../copy/frameworks.ts'

export type FrameworkImport = Output<'getFrameworkImport'>

type Guarded = <Name extends CallName>(name: Name, input: Input<Name>) => Promise<Output<Name>>

const OFTEN = 500
const { failed } = frameworks.library

/**
 * Carries out an import that has its plan, and waits for the job that does it.
 * @returns what it came to
 * @throws {Problem} also where that job came to nothing
 */
export async function carryOut(guarded: Guarded, id: string, asCorrection = false): Promise<FrameworkImport> {
  const begun = await guarded('applyFrameworkImport', { id, asCorrection })
  const one = isUnderWay(begun) ? await ended(id) : begun
  if (one.stage === 'applied') return one
  const detail = one.job?.failure ?? failed
  throw new Problem({ code: 'conflict', status: 409, requestId: null, title: failed, detail })
}

const isUnderWay = ({ stage, job }: FrameworkImport): boolean => stage === 'applying' && job?.endedAt === null

/** @throws {Problem} where the service says no; that it is away is waited for */
function ended(id: string): Promise<FrameworkImport> {
  const observer = new QueryObserver<FrameworkImport>(queries, {
    queryKey: ['getFrameworkImport', { id }],
    queryFn: () => call('getFrameworkImport', { id }),
    refetchInterval: ({ state: { data } }) => (data && !isUnderWay(data) ? false : OFTEN),
    refetchIntervalInBackground: true,
    staleTime: 0,
  })
  return new Promise((resolve, reject) => {
    const stop = observer.subscribe(({ data, error, isFetching }) => {
      if (isFetching) return
      if (error instanceof Problem && error.status < 500 && error.status > 0) reject(error)
      else if (data && !isUnderWay(data)) resolve(data)
      else return
      stop()
    })
  })
}
