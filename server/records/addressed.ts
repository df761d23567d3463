import { z } from 'zod'
import { columnOf } from '../../model/column-names.ts'
import type { Kind } from '../../model/kind.ts'
import { isIdOf, keyField } from '../../model/roles.ts'
import { prepared } from '../database/connect.ts'
import type { AnyOperation, TransactionContext } from '../operation.ts'
import { notFound } from '../refusal.ts'

/**
 * An operation about one record, of a kind whose records are also called by a key: its path and its input take either.
 * What is no id is looked up as a key, and everything behind it knows the id alone.
 */
export function addressed(kind: Kind, operation: AnyOperation): AnyOperation {
  const key = keyField(kind)
  if (!key || !('id' in operation.input.shape)) return operation
  const address = z
    .string()
    .min(1)
    .max(200)
    .meta({ title: 'Id' })
    .describe(`The id that its list and its creation answer, or its ${key}; no reference`)
  return {
    ...operation,
    input: operation.input.extend({ id: address }),
    run: async (context, input) =>
      operation.run(context, {
        ...input,
        id: await idOf(context as TransactionContext, kind, key, input.id),
      }),
  }
}

/** @throws {Refusal} `not_found` for a key that no record has */
async function idOf({ tx }: TransactionContext, kind: Kind, key: string, address: string): Promise<string> {
  if (isIdOf(kind, address)) return address
  const [row] = await tx.read<{ id: string }>(byKey(kind, key)(tx.organizationId, address))
  if (!row) throw notFound()
  return row.id
}

const byKey = ({ table }: Kind, key: string) =>
  prepared(`select id from ${table} where organization_id = $1 and ${columnOf(key)} = $2`)
