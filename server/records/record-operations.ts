import { z } from 'zod'
import { type Field, fieldsIn } from '../../model/form-fields.ts'
import { kinds } from '../../model/kinds/index.ts'
import { rightsRefusal } from '../caller/rights.ts'
import { callerOfSession } from '../caller/session.ts'
import { type AnyOperation, operation } from '../operation.ts'

/**
 * What the page of a record offers beside the verbs of its kind: the operations that say they are `on` it and that
 * the role of the person allows, each with the fields of its form. The page knows the record's id and version; what
 * else the input takes, it asks for.
 */
export const listRecordOperations = operation({
  name: 'listRecordOperations',
  by: 'session',
  title: 'List what can be done with a record',
  input: z.strictObject({ kind: z.enum(Object.keys(kinds) as [string, ...string[]]) }),
  output: z.object({
    data: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        description: z.string().nullable(),
        takesVersion: z.boolean(),
        fields: z.array(z.custom<Field>()),
        required: z.array(z.string()),
      }),
    ),
  }),
  run: async ({ parts, session, requestContext }, { kind }) => {
    const caller = callerOfSession(session, requestContext)
    const offered = parts.operations.filter(
      ({ on, needs }) => on === kind && rightsRefusal(needs, caller) === null,
    )
    return { body: { data: offered.map(formOf) } }
  },
})

/** What the page says by itself. */
const OF_THE_PAGE = ['id', 'ifMatch']

function formOf({ name, title, description, input }: AnyOperation) {
  const asked = Object.entries<z.ZodType>(input.shape).filter(([field]) => !OF_THE_PAGE.includes(field))
  return {
    name,
    title,
    description: description ?? null,
    takesVersion: 'ifMatch' in input.shape,
    fields: [...fieldsIn(Object.fromEntries(asked)).values()],
    required: asked.filter(([, schema]) => !schema.safeParse(undefined).success).map(([field]) => field),
  }
}
