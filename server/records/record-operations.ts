import { z } from 'zod'
import { type Field, hasInput } from '../../model/described-field.ts'
import { fieldsIn } from '../../model/form-fields.ts'
import type { Noun } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { withArticle } from '../../model/roles.ts'
import type { InStates } from '../../model/states.ts'
import type { Whom } from '../../model/whom.ts'
import type { Caller } from '../caller/caller.ts'
import { writeRefusal } from '../caller/limited-view.ts'
import { rightsRefusal } from '../caller/rights.ts'
import { callerOfSession } from '../caller/session.ts'
import { type AnyOperation, operation } from '../operation.ts'

/**
 * What the page of a record offers beside the verbs of its kind: the operations that say they are `on` it, each with
 * the fields of its form and whether the role of the person allows it. The page knows the record's id and version; what
 * else the input takes, it asks for. The help tells everybody what leads from one state to the next.
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
        button: z.string(),
        isAllowed: z.boolean(),
        when: z.record(z.string(), z.array(z.unknown())),
        who: z.custom<Whom>().nullable(),
        description: z.string().nullable(),
        takesVersion: z.boolean(),
        takesShown: z.array(z.string()).describe('Inputs that are what the page shows of the record'),
        fields: z.array(z.custom<Field>()),
        required: z.array(z.string()),
      }),
    ),
  }),
  run: async ({ parts, session, requestContext }, { kind }) => {
    const caller = callerOfSession(session, requestContext)
    const told = parts.operations
      .filter(({ on }) => on?.kind === kind)
      .map((one) => ({ ...formOf(one), isAllowed: isOpen(one, caller) }))
    return { body: { data: told.filter(({ required, fields }) => isFillable(required, fields)) } }
  },
})

const isOpen = (one: AnyOperation, caller: Caller): boolean =>
  rightsRefusal(one.needs, caller) === null && writeRefusal(one, caller) === null

/** What the page says by itself. */
const OF_THE_PAGE = ['id', 'ifMatch']

function formOf({ name, title, description, input, on }: AnyOperation) {
  const takesShown: readonly string[] = on!.shown ?? []
  const known = [...OF_THE_PAGE, ...takesShown]
  const asked = Object.entries<z.ZodType>(input.shape).filter(([field]) => !known.includes(field))
  return {
    name,
    title,
    button: on!.button ?? verbOf(title, kinds[on!.kind].noun),
    when: (on!.when ?? {}) as InStates as Record<string, unknown[]>,
    who: on!.who ?? null,
    description: description ?? null,
    takesVersion: 'ifMatch' in input.shape,
    takesShown: [...takesShown],
    fields: [...fieldsIn(Object.fromEntries(asked)).values()].filter(hasInput),
    required: asked.filter(([, schema]) => !schema.safeParse(undefined).success).map(([field]) => field),
  }
}

/** Whether everything that it cannot do without can be given in a form. */
const isFillable = (required: readonly string[], fields: readonly Field[]): boolean =>
  required.every((name) => fields.some((field) => field.name === name))

/** "Approve a vendor" on the page of a vendor. */
function verbOf(title: string, noun: Noun): string {
  const said = [withArticle(noun), `the ${noun.one}`]
    .map((one) => ` ${one}`)
    .find((one) => title.endsWith(one))
  return said ? title.slice(0, -said.length) : title
}
