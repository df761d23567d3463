import { type CallName, call, type Input, type Output } from '../../client/calls.ts'
import { Problem } from '../../client/problem.ts'
import { frameworks } from '../../copy/frameworks.ts'

export type FrameworkImport = Output<'getFrameworkImport'>

type Guarded = <Name extends CallName>(name: Name, input: Input<Name>) => Promise<Output<Name>>

const EVERY_MS = 500
const { failed } = frameworks.library

/**
 * Carries out an import that has its plan, and waits for the job that does it.
 * @throws {Problem} also where that job came to nothing
 */
export async function carryOut(guarded: Guarded, id: string, asCorrection = false): Promise<void> {
  let one: FrameworkImport = await guarded('applyFrameworkImport', { id, asCorrection })
  while (one.stage === 'applying' && one.job?.endedAt === null) {
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
    one = await call('getFrameworkImport', { id })
  }
  if (one.stage === 'applied') return
  const detail = one.job?.failure ?? failed
  throw new Problem({ code: 'conflict', status: 409, requestId: null, title: failed, detail })
}
