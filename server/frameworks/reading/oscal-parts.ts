import { LIMITS } from './limits.ts'
import { type Params, withParams } from './oscal-params.ts'
import type { Item, Path, Shape } from './shape.ts'

/*
 * Reads the parts of a control or a group by their names. Parts within a part become indented lines with their labels and
 * titles.
 */

export interface Parts {
  readonly text?: string
  readonly guidance?: string
  /** What assessors look at. */
  readonly evidence?: string
  /** What assessors determine. */
  readonly objectives?: string
  /** What the parts link to as related. */
  readonly related: readonly Item[]
}

const STATEMENTS = ['statement']
const OBJECTIVES = ['objective', 'assessment-objective']
const METHODS = ['assessment', 'assessment-method']
const GUIDANCE = ['guidance', 'overview']

/** Long texts of a group, which has no answer, are shortened with a note; those of a control are a fault. */
const GROUP_LETTERS = 2_000_000

export function readParts(item: Item, params: Params, shape: Shape, isGroup = false): Parts {
  const parts = shape.objects(item, 'parts')
  const of = (names: readonly string[]) => parts.filter(({ fields }) => names.includes(fields.name as string))
  const known = [STATEMENTS, OBJECTIVES, METHODS, GUIDANCE].flat()
  const others = parts.filter(({ fields }) => !known.includes(fields.name as string))
  for (const part of parts) shape.required(part, 'name', LIMITS.key)
  const reader: PartReader = { params, shape, longest: isGroup ? GROUP_LETTERS : LIMITS.text }
  const lines = (those: readonly Item[]) => those.flatMap((part) => linesOf(part, 0, reader))
  const sections = others.map((part) => {
    const heading = shape.text(part, 'title', LIMITS.title) ?? shape.text(part, 'name', LIMITS.key)
    return [`${heading}:`, ...linesOf(part, 0, reader, false)].join('\n')
  })
  const taken = (text: string, what: string) =>
    text === ''
      ? undefined
      : isGroup
        ? shape.shortened(text, item, LIMITS.text, what)
        : shape.taken(text, item.path, LIMITS.text)
  const text = taken(lines(of(STATEMENTS)).join('\n'), 'text')
  const guidance = taken(
    [lines(of(GUIDANCE)).join('\n'), ...sections].filter(Boolean).join('\n\n'),
    'guidance',
  )
  const objectives = lines(of(OBJECTIVES)).join('\n').trim()
  const methods = of(METHODS)
    .map((part) => methodOf(part, reader))
    .join('\n')
  const evidence = shape.shortened(methods, item, LIMITS.typicalEvidence, 'typical evidence')
  return {
    ...(text !== undefined && { text }),
    ...(guidance !== undefined && { guidance }),
    ...(evidence !== undefined && { evidence }),
    ...(objectives !== '' && { objectives }),
    related: parts.flatMap((part) => shape.objects(part, 'links')),
  }
}

interface PartReader {
  readonly params: Params
  readonly shape: Shape
  readonly longest: number
}

function linesOf(part: Item, depth: number, reader: PartReader, isTitled = true): string[] {
  const { params, shape, longest } = reader
  if (depth > LIMITS.depth) {
    shape.fault(part.path, `has parts more than ${LIMITS.depth} deep: place them higher`)
    return []
  }
  const label = labelOf(part, shape)
  const title = isTitled ? shape.text(part, 'title', LIMITS.title) : undefined
  const prose = shape.text(part, 'prose', longest)
  const words =
    prose === undefined ? undefined : proseOf(prose, [...part.path, 'prose'], params, shape, longest)
  const heading = title === undefined || words === undefined ? title : `${title}:`
  const said = [label, heading, words].filter((one) => one !== undefined).join(' ')
  const indent = '  '.repeat(depth)
  const inner = shape.objects(part, 'parts')
  const line = said === '' ? [] : [`${indent}${said.replaceAll('\n', `\n${indent}`)}`]
  return [...line, ...inner.flatMap((one) => linesOf(one, depth + (line.length > 0 ? 1 : 0), reader))]
}

/** By which method assessors look at what: `Examine: policy; procedures`. */
function methodOf(part: Item, { params, shape }: PartReader): string {
  const method = shape.objects(part, 'props').find(({ fields }) => fields.name === 'method')
  const name = method ? shape.text(method, 'value', LIMITS.key) : undefined
  const objects = shape.objects(part, 'parts').flatMap((one) => {
    const prose = shape.text(one, 'prose')
    return prose === undefined ? [] : proseOf(prose, [...one.path, 'prose'], params, shape).split(/\n+/)
  })
  const listed = objects
    .map((one) => one.trim())
    .filter(Boolean)
    .join('; ')
  return name === undefined
    ? listed
    : `${name.charAt(0).toUpperCase()}${name.slice(1).toLowerCase()}: ${listed}`
}

const LINK = /\[([^\][]+)\]\([^()\s]+\)/g

/** As people read it: with the parameters, and of a link its words. Whatever else is marked stays text. */
export const proseOf = (
  prose: string,
  path: Path,
  params: Params,
  shape: Shape,
  longest: number = LIMITS.text,
): string => withParams(prose.replaceAll(LINK, '$1'), path, params, shape, longest)

/** What people print: the label without a class, else the first. */
export function labelOf(item: Item, shape: Shape): string | undefined {
  const labels = shape.objects(item, 'props').filter(({ fields }) => fields.name === 'label')
  const label = labels.find(({ fields }) => fields.class === undefined) ?? labels[0]
  return label && shape.text(label, 'value', LIMITS.key)
}
