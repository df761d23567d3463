import { sql } from 'kysely'
import { z } from 'zod'
import { needsToRead } from '../../model/access.ts'
import { CUSTOM_FIELD_NAME, CUSTOM_FIELD_TYPES, type CustomField } from '../../model/custom-field.ts'
import { flag, line, text } from '../../model/fields.ts'
import type { Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { build } from '../database/build.ts'
import { statement } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import { capability, nothing, operation, scope } from '../operation.ts'
import { timestamp } from '../output.ts'
import { notFound } from '../refusal.ts'
import {
  COLUMNS,
  type CustomFieldRow,
  changeCustomField,
  defineCustomField,
  removeCustomField,
} from './custom-fields/changes.ts'
import { behind, type Order, orderBy, PAGE, page, pageOf, readCursor } from './paging.ts'
import { readableKinds } from './readable.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, READ_ONLY } from './schemas.ts'

/*
 * The custom fields that an organization defines for its records: which values a name in `customFields` takes, and of
 * which kinds. Values are judged where records are written (custom-fields/take.ts), and lists are filtered by them
 * (custom-fields/filters.ts).
 *
 * A field whose values records have is not deleted but retired, and so is a choice: values stay where they are, and
 * nothing is asked of them any more.
 */

const PATH = '/v1/custom-fields'
const MANAGE = capability('settings.manage')
const READ = scope(...new Set(everyKind.flatMap((kind) => needsToRead(kind).anyOf)))
const CHOICES_AT_MOST = 100

const kind = z.enum(everyKind.map(({ name }) => name) as [string, ...string[]])

const choice = z
  .strictObject({
    key: z
      .string()
      .max(60)
      .regex(/^[a-z0-9][a-z0-9_]*$/, 'is no key: give small letters, digits and _, such as north_west')
      .refine((key) => key !== 'none' && key !== 'not_set', 'stands for what is not set: choose another')
      .describe('What records have; it stays the same'),
    label: line('Label', 80).describe('What people read'),
    retired: z.boolean().optional().describe('Kept by what has it, and chosen for nothing else'),
  })
  .meta({ id: 'CustomFieldChoice' })

const unique = (what: 'key' | 'label') => (choices: readonly { key: string; label: string }[]) =>
  new Set(choices.map((one) => one[what].toLowerCase())).size === choices.length

const FIELDS = {
  label: line('Label', 80).describe('What people read in forms and registers'),
  description: text('Description', 500).describe('What it is for, as forms show it'),
  choices: z
    .array(choice)
    .max(CHOICES_AT_MOST)
    .refine(unique('key'), { error: 'has a key twice: give each once', abort: true })
    .refine(unique('label'), 'has a label twice: nobody could tell which is meant')
    .meta({ title: 'Choices' })
    .describe('Of choice and choices, in the order in which they are offered'),
  kinds: z
    .array(kind)
    .min(1, 'choose at least one kind: a field of none is asked for nowhere')
    .max(everyKind.length)
    .overwrite((kinds) => [...new Set(kinds)])
    .meta({ title: 'Kinds' })
    .describe('Of which records it is'),
  required: flag('Required').describe(
    'Whether a new record must have it, and keeps it; one from before that lacks it can still be changed',
  ),
  retired: flag('Retired').describe('Nobody is asked for it any more; values stay, and are no longer judged'),
}

const FIXED = {
  name: z
    .string()
    .max(60)
    .regex(
      CUSTOM_FIELD_NAME,
      'is no name for a field: give one of letters, digits and _ that begins with a letter, such as costCentre',
    )
    .refine((name) => !(name in {}), 'is a name that programs have for something else: choose another')
    .meta({ title: 'Name' })
    .describe('The key in customFields of a record; it stays the same'),
  type: z.enum(CUSTOM_FIELD_TYPES).meta({ title: 'Type' }).describe('What its values are; it stays the same'),
}

const actor = z.object({ type: z.string(), id: z.string(), displayName: z.string() })

const customField = z
  .object({
    id: z.string(),
    ...FIXED,
    ...FIELDS,
    description: FIELDS.description.nullable(),
    version: z.int(),
    createdAt: timestamp,
    createdBy: actor,
    updatedAt: timestamp,
    updatedBy: actor,
  })
  .meta({ id: 'CustomField', title: 'Custom field' })

const ORDER: Order = {
  sort: 'createdAt',
  column: sql.ref('f.created_at'),
  id: sql.ref('f.id'),
  descending: false,
}

export const listCustomFields = operation({
  name: 'listCustomFields',
  method: 'GET',
  path: PATH,
  needs: READ,
  writes: false,
  title: 'List custom fields',
  description: 'What the names in customFields of records mean and take, of the kinds that you may read.',
  rowFields: ['id', 'name', 'label', 'description', 'type', 'choices', 'kinds', 'required', 'retired'],
  input: z.strictObject({
    ...PAGE,
    kind: kind.optional().meta({ title: 'Kind' }).describe('Only those of its records'),
    retired: z.boolean().optional().describe('true: only those; false: only the others'),
  }),
  output: pageOf(customField),
  run: async ({ tx, caller }, { limit, cursor, kind, retired }) => {
    const place = readCursor(cursor, ORDER.sort)
    const conditions = [
      sql`f.organization_id = ${tx.organizationId}`,
      sql`f.kinds && ${readableKinds(caller).map(({ name }) => name)}`,
      ...(kind === undefined ? [] : [sql`${kind} = any(f.kinds)`]),
      ...(retired === undefined ? [] : [sql`f.retired = ${retired}`]),
      ...(place ? [behind(ORDER, place)] : []),
    ]
    const rows = await tx.read<CustomFieldRow>(
      build(sql`select ${sql.raw(COLUMNS)} from custom_fields f
        where ${sql.join(conditions, sql` and `)} ${orderBy(ORDER)} limit ${limit + 1}`),
    )
    return page(
      rows,
      limit,
      ORDER.sort,
      (row) => row,
      (row) => ({ value: row.createdAt, id: row.id }),
    ) as never
  },
})

/** Those that an organization has defined for the records of a kind, retired ones too. */
export const readCustomFields = (tx: Transaction, kind: Kind): Promise<CustomField[]> =>
  tx.read<CustomField>(ofKind(tx.organizationId, kind.name))

const ofKind = statement(`
  select name, label, description, type, choices, kinds, required, retired from custom_fields
   where organization_id = $1 and $2 = any(kinds) order by created_at, id`)

export const getCustomField = operation({
  name: 'getCustomField',
  method: 'GET',
  path: `${PATH}/{id}`,
  needs: READ,
  writes: false,
  title: 'Read a custom field',
  input: z.strictObject({ id: ID }),
  output: customField,
  run: async ({ tx, caller }, { id }) => {
    const readable = readableKinds(caller).map(({ name }) => name)
    const [row] = await tx.read<CustomFieldRow>(
      build(sql`select ${sql.raw(COLUMNS)} from custom_fields f
        where f.organization_id = ${tx.organizationId} and f.id = ${id} and f.kinds && ${readable}`),
    )
    if (!row) throw notFound()
    return row as never
  },
})

export const createCustomField = operation({
  name: 'createCustomField',
  method: 'POST',
  path: PATH,
  needs: MANAGE,
  writes: true,
  title: 'Define a custom field',
  description:
    'From then on, what is written under its name is judged. What records have there already stays as it is.',
  input: z.strictObject({
    ...FIXED,
    ...FIELDS,
    description: FIELDS.description.nullable().optional(),
    choices: FIELDS.choices.default([]),
    required: FIELDS.required.default(false),
    retired: FIELDS.retired.default(false),
  }),
  output: customField,
  refusals: ['conflict'],
  example: {
    name: 'region',
    label: 'Region',
    type: 'choice',
    choices: [
      { key: 'emea', label: 'Europe, Middle East and Africa' },
      { key: 'americas', label: 'Americas' },
    ],
    kinds: ['risk', 'asset'],
  },
  location: ({ id }) => `${PATH}/${id}`,
  run: async (context, input) => (await defineCustomField(context, input)) as never,
})

export const updateCustomField = operation({
  name: 'updateCustomField',
  method: 'PATCH',
  path: `${PATH}/{id}`,
  needs: MANAGE,
  writes: true,
  title: 'Change a custom field',
  description:
    'What is absent stays. Name and type stay as they are; a choice that records have is retired, and not removed.',
  input: z.strictObject({
    id: ID,
    ifMatch: IF_MATCH,
    label: FIELDS.label.optional(),
    description: FIELDS.description.nullable().optional(),
    choices: FIELDS.choices.optional(),
    kinds: FIELDS.kinds.optional(),
    required: FIELDS.required.optional(),
    retired: FIELDS.retired.optional(),
    ...Object.fromEntries(
      ['name', 'type', 'version', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy'].map((field) => [
        field,
        READ_ONLY,
      ]),
    ),
  }),
  output: customField,
  headers: IF_MATCH_HEADER,
  refusals: ['referenced'],
  annotations: { idempotent: true },
  run: async (context, { id, ifMatch, ...input }) =>
    (await changeCustomField(context, id, input, ifMatch)) as never,
})

export const deleteCustomField = operation({
  name: 'deleteCustomField',
  method: 'DELETE',
  path: `${PATH}/{id}`,
  needs: MANAGE,
  writes: true,
  title: 'Delete a custom field',
  description: 'One of which no record has a value; any other is retired.',
  input: z.strictObject({ id: ID, ifMatch: IF_MATCH }),
  output: nothing,
  headers: IF_MATCH_HEADER,
  refusals: ['referenced'],
  annotations: { destructive: true, idempotent: true },
  run: async (context, { id, ifMatch }) => {
    await removeCustomField(context, id, ifMatch)
    return null
  },
})

export const customFieldOperations = {
  listCustomFields,
  getCustomField,
  createCustomField,
  updateCustomField,
  deleteCustomField,
}
