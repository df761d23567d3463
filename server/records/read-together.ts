import type { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'

/** Reads rows of an organization by their ids: its parameters are these two, and each row has its `id`. */
type ReadByIds = ReturnType<typeof statement>

/** What is asked for in one moment of a transaction, and the one read that finds it. */
interface Asked {
  readonly ids: Set<string>
  readonly rows: Promise<ReadonlyMap<string, unknown>>
}

const asking = new WeakMap<Transaction, Map<ReadByIds, Asked>>()

/** Reads one row by its id; whatever is asked for in the same moment, as by many rows of one call, shares one statement. */
export async function readTogether<Found>(
  tx: Transaction,
  read: ReadByIds,
  id: string,
): Promise<Found | undefined> {
  const asked = asking.get(tx) ?? new Map<ReadByIds, Asked>()
  asking.set(tx, asked)
  const together = asked.get(read) ?? ask(tx, read, () => asked.delete(read))
  asked.set(read, together)
  together.ids.add(id)
  return (await together.rows).get(id) as Found | undefined
}

function ask(tx: Transaction, read: ReadByIds, begun: () => void): Asked {
  const ids = new Set<string>()
  const rows = Promise.resolve().then(async () => {
    begun()
    const found = await tx.read<{ id: string }>(read(tx.organizationId, [...ids]))
    return new Map(found.map((row) => [row.id, row]))
  })
  return { ids, rows }
}
