import type { Transaction } from '../database/transaction.ts'
import type { TransactionContext } from '../operation.ts'
import type { References } from './references.ts'

/*
 * What a write would come to, without it: the same functions, which read the same rows under the same locks and go by
 * the same rules, in a transaction whose writes go nowhere. Left open is what only the database knows of a write, such
 * as a value that is another's.
 */

/** The same transaction, of which nothing is written, sent or drawn. */
export function rehearsing(context: TransactionContext): TransactionContext {
  const { tx, parts } = context
  return {
    ...context,
    tx: new Proxy(tx, {
      get: (target, name) => {
        if (SILENT.has(name)) return () => {}
        const value = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    }) as Transaction,
    parts: {
      ...parts,
      references: UNDRAWN as References,
      reserveSends: () => ({ claimId: null, leaseMs: 0, full: [], committed: () => {}, failed: () => {} }),
    },
  }
}

/** No number is used up. */
const UNDRAWN: { readonly [Method in keyof References]: References[Method] } = {
  draw: async () => 0,
  drawFor: (_organizationId, _kind, work) => work(Promise.resolve(0)),
  giveBack: async () => {},
}

const SILENT: ReadonlySet<string | symbol> = new Set<keyof Transaction>([
  'write',
  'writeAsGate',
  'afterCommit',
  'afterFailure',
])
