import { unknownName } from '../../input.ts'
import type { AnyOperation } from '../../operation.ts'
import { beginningOf, invalid } from '../../refusal.ts'
import { type Json, jsonOf, outputSchemaOf, type Slim, withoutNull } from './schemas.ts'

/**
 * The answers of an operation as a conversation can hold them: a model reads all that it is answered, and keeps it
 * in memory. So what is empty is left out, but for what the tool's output schema requires; a row of a list shows
 * what the operation names for it; a caller chooses other fields with `fields`; and of a batch it is enough to know
 * which records it made. Nothing else is changed: what stands in an answer is what REST has there.
 */
export interface AnswerView {
  /** The input by which a caller chooses; null where there is nothing to choose from. */
  readonly input: Slim | null
  /** Whether each row is a record that was made, or what kept it out. */
  readonly isBatch: boolean
  /**
   * Takes what the caller chose out of an input, before anything is done with the rest.
   * @throws {Refusal} `validation_failed` for what is no list of names of fields
   */
  take(input: Answer): { readonly fields: readonly string[] | null; readonly rest: Answer }
  /** @param fields as the caller chose them */
  show(answer: Answer, fields: readonly string[] | null): Answer
}

type Answer = Record<string, unknown>

/** So few that choosing is no gain. */
const FEW_FIELDS = 6
const OF_A_BATCH = new Set(['id', 'reference', 'version'])

export function answerViewOf(operation: AnyOperation): AnswerView {
  const json = jsonOf(operation.output, 'output')
  const slim = outputSchemaOf(operation) as Slim
  const rows = json.properties?.data as Json | undefined
  const isList = rows?.type === 'array'
  const thing = (isList ? rows.items : json) as Json
  const slimThing = (isList ? slim.properties?.data?.items : slim) ?? {}
  const names = Object.keys(thing.properties ?? {})
  const always = new Set(slimThing.required ?? [])
  const { rowFields = null, rowMarks = [] } = operation
  const isChosen = operation.method === 'GET' && names.length > FEW_FIELDS
  const full = compacting(json, slim)
  const isBatch = isList && names.includes('record')

  const pick = (one: unknown, wanted: readonly string[] | null): unknown =>
    wanted === null
      ? one
      : Object.fromEntries(
          Object.entries(one as object).filter(([name]) => always.has(name) || wanted.includes(name)),
        )
  return {
    input: isChosen ? inputFor(rowFields) : null,
    isBatch,
    take: (input) => (isChosen ? takeFields(input, names) : { fields: null, rest: input }),
    show: (answer, fields) => {
      const shown = full(answer) as Answer
      const wanted = fields?.includes(ALL) ? null : (fields ?? rowFields)
      if (isBatch) return { ...shown, data: (shown.data as Answer[]).map(ofBatch) }
      if (!isList) return pick(shown, wanted) as Answer
      const marked = (row: Answer) => (fields || !wanted ? [] : rowMarks.filter((name) => row[name]))
      return {
        ...shown,
        data: (shown.data as Answer[]).map((row) => pick(row, wanted && [...wanted, ...marked(row)])),
      }
    },
  }
}

const ALL = 'all'

const inputFor = (rowFields: readonly string[] | null): Slim => ({
  type: 'array',
  items: { type: 'string' },
  description: rowFields
    ? `What a row shows: ${rowFields.join(', ')} if not said; ["${ALL}"] for all`
    : 'To answer only these; everything if not said',
})

/** Of a tool whose rows differ from kind to kind. */
export const FIELDS_OF_ROWS = `What a row shows: what tells rows apart if not said; ["${ALL}"] for all`

const ofBatch = ({ record, ...row }: Answer): Answer =>
  typeof record === 'object' && record !== null
    ? { ...row, record: Object.fromEntries(Object.entries(record).filter(([name]) => OF_A_BATCH.has(name))) }
    : row

function takeFields({ fields, ...rest }: Answer, known: readonly string[]) {
  if (fields === undefined || fields === null) return { fields: null, rest }
  const isNames = Array.isArray(fields) && fields.every((one) => typeof one === 'string')
  if (!isNames || fields.length === 0 || fields.length > 100)
    throw invalid({ path: 'fields', message: `give a list of names of fields, or ["${ALL}"]` })
  const unknown = (fields as string[]).find((name) => name !== ALL && !known.includes(name))
  if (unknown !== undefined) {
    const message = `${JSON.stringify(beginningOf(unknown))}: ${unknownName(unknown, known)}`
    throw invalid({ path: 'fields', message })
  }
  return { fields: fields as string[], rest }
}

/**
 * A copy without nulls and empty lists. Only where the schema names the parts: what callers keep by names of their
 * own means what it says, empty or not.
 */
function compacting(json: Json, slim: Slim): (value: unknown) => unknown {
  const { properties, items } = withoutNull(json)
  if (items && typeof items === 'object') {
    const inner = compacting(items as Json, slim.items ?? {})
    return (value) => (Array.isArray(value) ? value.map(inner) : value)
  }
  if (!properties) return (value) => value
  const required = new Set(slim.required ?? [])
  const parts = Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [
      name,
      compacting(part as Json, slim.properties?.[name] ?? {}),
    ]),
  )
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const shown = Object.entries(value).flatMap(([name, part]) => {
      const isEmpty = part === null || (Array.isArray(part) && part.length === 0)
      return isEmpty && !required.has(name) ? [] : [[name, parts[name] ? parts[name](part) : part] as const]
    })
    return Object.fromEntries(shown)
  }
}
