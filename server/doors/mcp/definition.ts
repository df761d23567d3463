import { isDeepStrictEqual } from 'node:util'
import type { Kind } from '../../../model/kind.ts'
import { FIELDS_OF_ROWS } from './answers.ts'
import type { Slim, ToolSchema } from './schemas.ts'
import type { Definition, Member } from './tools.ts'

/** What is told of a tool to whoever may use these of its members. */
export const definitionOf = (members: readonly Member[]): Definition =>
  members[0]!.operation.sharedTool ? sharedDefinition(members) : members[0]!.definition

/**
 * What is told of a tool that stands for operations of one form. It is made from what is said of each, of those that
 * its reader may use: what they have in common stands as it is, and where they differ it says less. So it does not grow
 * with the kinds beyond their names.
 */
function sharedDefinition(members: readonly Member[]): Definition {
  const { name, title, description } = members[0]!.operation.sharedTool!
  const kinds = members.map(({ operation }) => operation.sharedTool!.kind)
  const each = members.map(({ definition }) => definition)
  const input = mergedInput(each.map(({ inputSchema }) => inputSchema))
  const said = [`${title}.`, description, takesId(members[0]!) ? whose(kinds) : null, ...notesOf(members)]
  return {
    name,
    title,
    description: said.filter(Boolean).join(' '),
    inputSchema: takesId(members[0]!) ? input : withType(input, kinds, members[0]!),
    outputSchema: common(each.map(({ outputSchema }) => outputSchema)) as ToolSchema,
    annotations: {
      readOnlyHint: each.every(({ annotations }) => annotations.readOnlyHint),
      destructiveHint: each.some(({ annotations }) => annotations.destructiveHint),
      idempotentHint: each.every(({ annotations }) => annotations.idempotentHint),
      openWorldHint: each.some(({ annotations }) => annotations.openWorldHint),
    },
  }
}

/** Whether the id of a record says which of them is meant. */
const takesId = ({ operation }: Member): boolean => 'id' in operation.input.shape

/** No more words are listed, nor names of kinds: the refusal of a wrong one has them. */
const WORDS_AT_MOST = 60

function whose(kinds: readonly Kind[]): string {
  const nouns = kinds.length > WORDS_AT_MOST ? [`${kinds.length} kinds`] : kinds.map(({ noun }) => noun.many)
  return `Of ${nouns.join(', ')}: the id says which.`
}

const NOTES_AT_MOST = 1_200

/** What is to be known of one alone, as long as that is little. */
function notesOf(members: readonly Member[]): string[] {
  const notes = members.flatMap(({ operation: { sharedTool } }) => {
    const { kind, note } = sharedTool!
    if (note === undefined) return []
    return members.length > 1 ? `Of ${kind.noun.many}: ${note}` : note
  })
  return notes.join(' ').length > NOTES_AT_MOST ? [] : notes
}

function withType(input: ToolSchema, kinds: readonly Kind[], { filtersOf }: Member): ToolSchema {
  const names = kinds.map(({ name }) => name)
  const type: Slim = {
    type: 'string',
    ...(names.length > WORDS_AT_MOST ? {} : { enum: names }),
    description: 'What the records are',
  }
  const filters: Slim = { type: 'object', description: `As the list of the type takes them: ${filtersOf} …` }
  return {
    type: 'object',
    properties: { type, ...(filtersOf ? { filters } : {}), ...input.properties },
    required: ['type', ...(input.required ?? [])],
  }
}

/** What any of them takes; required is what all ask for. */
function mergedInput(all: readonly ToolSchema[]): ToolSchema {
  const names = [...new Set(all.flatMap(({ properties = {} }) => Object.keys(properties)))]
  const required = (all[0]?.required ?? []).filter((name) =>
    all.every((one) => one.required?.includes(name) ?? false),
  )
  const properties = Object.fromEntries(
    names.map((name) => [name, merged(all.flatMap(({ properties = {} }) => properties[name] ?? []))]),
  )
  const { fields } = properties
  return {
    type: 'object',
    properties: fields
      ? { ...properties, fields: { ...fields, description: fields.description ?? FIELDS_OF_ROWS } }
      : properties,
    ...(required.length > 0 ? { required } : {}),
  }
}

/** What fits any of them. */
function merged(all: readonly Slim[]): Slim {
  const [first] = all as [Slim]
  if (all.every((one) => isDeepStrictEqual(one, first))) return first
  const type = same(all, 'type')
  const description = same(all, 'description')
  const words = all.every((one) => one.enum) ? [...new Set(all.flatMap((one) => one.enum!))] : []
  const items = all.flatMap((one) => one.items ?? [])
  return {
    ...(type ? { type } : {}),
    ...(words.length > 0 && words.length <= WORDS_AT_MOST ? { enum: words } : {}),
    ...(items.length === all.length ? { items: merged(items) } : {}),
    ...(description ? { description } : {}),
  }
}

const same = <Name extends keyof Slim>(all: readonly Slim[], name: Name): Slim[Name] | undefined =>
  all.every((one) => isDeepStrictEqual(one[name], all[0]![name])) ? all[0]![name] : undefined

/** What is so in all of them. */
function common(all: readonly Slim[]): Slim {
  const [first] = all as [Slim]
  if (all.every((one) => isDeepStrictEqual(one, first))) return first
  const type = same(all, 'type')
  if (!type) return {}
  const items = all.flatMap((one) => one.items ?? [])
  const names = Object.keys(first.properties ?? {}).filter((name) =>
    all.every(({ properties = {}, required = [] }) => name in properties && required.includes(name)),
  )
  return {
    type,
    ...(items.length === all.length ? { items: common(items) } : {}),
    ...(names.length > 0
      ? {
          properties: Object.fromEntries(
            names.map((name) => [name, common(all.map(({ properties }) => properties![name]!))]),
          ),
          required: names,
        }
      : {}),
  }
}
