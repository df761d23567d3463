import { z } from 'zod'
import {
  type CustomField,
  type CustomFieldType,
  customFilterForm,
  isChoice,
  offeredKeys,
} from '../../../model/custom-field.ts'
import { comparedWords, day, url } from '../../../model/fields.ts'
import type { FilterForm } from '../../../model/filter-names.ts'
import type { Kind } from '../../../model/kind.ts'
import { statement } from '../../database/connect.ts'
import type { Transaction } from '../../database/transaction.ts'

/** What of a definition judges values and filters. */
export type Definition = Pick<CustomField, 'name' | 'type' | 'choices' | 'required' | 'retired'>

const known = new WeakMap<Transaction, Map<Kind, Promise<readonly Definition[]>>>()

/**
 * The custom fields that an organization has defined for a kind, retired ones too. Read once in a transaction, with
 * whatever else the caller has sent: all records of a batch are judged by the same.
 */
export function definitionsOf(tx: Transaction, kind: Kind): Promise<readonly Definition[]> {
  const ofTransaction = known.get(tx) ?? new Map<Kind, Promise<readonly Definition[]>>()
  known.set(tx, ofTransaction)
  const read = ofTransaction.get(kind) ?? tx.read<Definition>(select(tx.organizationId, kind.name))
  ofTransaction.set(kind, read)
  return read
}

const select = statement(`
  select name, type, choices, required, retired from custom_fields
   where organization_id = $1 and $2 = any(kinds) order by created_at, id`)

const TEXT_LENGTH = 2_000

const PLAIN: Readonly<Record<Exclude<CustomFieldType, 'choice' | 'choices'>, z.ZodType>> = {
  text: comparedWords(TEXT_LENGTH),
  number: z.number(),
  date: day(''),
  boolean: z.boolean(),
  url: url(''),
}

/**
 * What a record may be given.
 * @param before what it has: of a list, what stands may stay, also where nobody may choose it any more
 */
export function valueSchema(definition: Definition, before: unknown): z.ZodType {
  const { type } = definition
  if (!isChoice(type)) return PLAIN[type as keyof typeof PLAIN]
  const kept =
    type === 'choices' && Array.isArray(before) ? before.filter((one) => typeof one === 'string') : []
  const one = z.enum([...new Set([...offeredKeys(definition), ...kept])])
  if (type === 'choice') return one
  const several = z.array(one).overwrite((keys) => [...new Set(keys)])
  return definition.required ? several.min(1) : several
}

/** What a filter is given: whatever a record may have, and what it may have had. */
export function filterSchema({ type, choices }: Definition): { schema: z.ZodType; form: FilterForm } {
  const keys = z.enum(choices.map(({ key }) => key))
  const schema =
    type === 'choice' ? keys : type === 'choices' ? z.array(keys) : PLAIN[type as keyof typeof PLAIN]
  return { schema, form: customFilterForm(type) }
}
