import { IncomingBytes } from '../../server/bytes.ts'
import type { Caller } from '../../server/caller/caller.ts'
import type { TestService } from './service.ts'
import { until } from './until.ts'

/** An import of a framework, as far as tests look at it. */
export interface TestFrameworkImport {
  readonly id: string
  readonly stage: string
  readonly frameworkId: string | null
  readonly plan: {
    readonly outcome: string
    readonly counts: { readonly requirements: number; readonly byDepth: readonly number[] } | null
    readonly faults: readonly { readonly place: string; readonly message: string }[]
    readonly [more: string]: unknown
  } | null
  readonly result: Record<'added' | 'changed' | 'kept' | 'mappings', number> & { outcome: string }
  readonly job: { readonly state: string; readonly failure: string | null } | null
}

/** What somebody does to bring frameworks in. The service has to work its jobs. */
export const frameworkImportsOf = (one: TestService, caller: Caller) => {
  const ask = async (name: string, input: object): Promise<TestFrameworkImport> =>
    (await one.call(caller, name, input)).body as TestFrameworkImport

  const send = async (fileName: string, bytes: Buffer, more: object = {}) => {
    const { id } = await ask('startFrameworkImport', { fileName, ...more })
    const content = new IncomingBytes('application/octet-stream', bytes.length, inOne(bytes))
    return ask('sendFrameworkFile', { id, content })
  }
  /** Carries it out, and waits until it is over, whichever way it ends. */
  const apply = async ({ id }: { readonly id: string }, more: object = {}) => {
    await ask('applyFrameworkImport', { id, ...more })
    return until(async () => {
      const now = await ask('getFrameworkImport', { id })
      return now.stage === 'applied' || now.job?.failure ? now : null
    })
  }
  return {
    ask,
    send,
    apply,
    fromLibrary: async (library: string) => apply(await ask('startFrameworkImport', { library })),
    bring: async (fileName: string, bytes: Buffer, more: object = {}) =>
      apply(await send(fileName, bytes, more)),
  }
}

async function* inOne(bytes: Buffer) {
  yield bytes
}
