import { LIMITS } from './limits.ts'
import { type Item, isObject, type Path, type Shape } from './shape.ts'

/*
 * Parameters are what an organization decides by itself. Prose shows them as printed editions do: a value where the
 * catalog has one, else "[Assignment: frequency; at least annually]", where the part after the semicolon is a constraint,
 * or "[Selection (one or more): remove; disable]".
 */

/** Of the whole catalog, by their ids. */
export interface Params {
  readonly items: ReadonlyMap<string, Item>
  /** Parameters that prose has shown, as it shows them: one that names others is built only once. */
  readonly shown: Map<string, string>
}

export function paramsOf(catalog: Item, shape: Shape): Params {
  const params = new Map<string, Item>()
  const waiting: { item: Item; depth: number }[] = [{ item: catalog, depth: 0 }]
  while (waiting.length > 0) {
    const { item, depth } = waiting.pop()!
    for (const param of shape.objects(item, 'params')) {
      const id = shape.required(param, 'id', LIMITS.key)
      if (id === undefined) continue
      if (params.has(id))
        shape.fault(
          [...param.path, 'id'],
          `is “${id}”, as ${shape.placeOf(params.get(id)!.path)} has: give each parameter an id of its own`,
        )
      else params.set(id, param)
    }
    // What stands deeper is refused where requirements are read.
    if (depth <= LIMITS.depth)
      for (const name of ['groups', 'controls'])
        for (const inner of nested(item, name).toReversed()) waiting.push({ item: inner, depth: depth + 1 })
  }
  return { items: params, shown: new Map() }
}

/** Without a word on what is wrong there: the walk over the requirements tells it. */
const nested = ({ fields, path }: Item, name: string): Item[] => {
  const list = fields[name]
  return Array.isArray(list)
    ? list.flatMap((one, index) => (isObject(one) ? [{ fields: one, path: [...path, name, index] }] : []))
    : []
}

/** With the blank that files have between a parameter and the mark behind it. */
const INSERTED = /\{\{\s*(?:insert:\s*)?(?:param,\s*|param:\s*)?([\p{L}\p{N}_.:-]+)\s*\}\}(?: (?=[;,.:]))?/gu

/** A text with its parameters in it. */
export function withParams(
  text: string,
  path: Path,
  params: Params,
  shape: Shape,
  longest: number = LIMITS.text,
): string {
  return filled(text, { path, params, shape }, [], longest)
}

interface Filling {
  readonly path: Path
  readonly params: Params
  readonly shape: Shape
}

function filled(
  text: string,
  filling: Filling,
  within: readonly string[],
  longest: number = LIMITS.text,
): string {
  const all = text.replaceAll(INSERTED, (_, id: string) => shown(id, filling, within))
  if (all.length <= longest) return all
  const { path, shape } = filling
  shape.fault(path, `has ${all.length} letters with its parameters: shorten it to ${longest}`)
  return ''
}

function shown(id: string, filling: Filling, within: readonly string[]): string {
  const { path, params, shape } = filling
  const before = params.shown.get(id)
  if (before !== undefined) return before
  const param = params.items.get(id)
  if (!param) {
    shape.fault(path, `names the parameter “${id}”, which never comes: add it under params, or leave it out`)
    return ''
  }
  if (within.includes(id)) {
    shape.fault(
      param.path,
      `leads round to itself (${[...within, id].join(', ')}): leave one of these out of the choices`,
    )
    return ''
  }
  if (within.length >= LIMITS.depth) {
    shape.fault(
      param.path,
      `is named by ${within.length} parameters within each other: at most ${LIMITS.depth} may`,
    )
    return ''
  }
  const text = textOf(param, { ...filling, path: param.path }, [...within, id])
  params.shown.set(id, text)
  return text
}

function textOf(param: Item, filling: Filling, within: readonly string[]): string {
  const { shape } = filling
  const values = valuesOf(param, shape)
  if (values.length > 0) return values.map((value) => filled(value, filling, within)).join(', ')
  const constraints = constraintsOf(param, shape).map((one) => filled(one, filling, within))
  const { select } = param.fields
  if (isObject(select)) {
    const choices = { fields: select, path: [...param.path, 'select'] }
    const many = select['how-many'] === 'one-or-more' ? ' (one or more)' : ''
    const all = shape.texts(choices, 'choice', LIMITS.text).join('; ')
    const limits = constraints.length > 0 ? `; constraint: ${constraints.join('; ')}` : ''
    return `[Selection${many}: ${filled(all, filling, within).trim()}${limits}]`
  }
  const label = shape.text(param, 'label', LIMITS.title)
  const named = label === undefined ? (param.fields.id as string) : filled(label, filling, within)
  return `[Assignment: ${[named, ...constraints].join('; ')}]`
}

const valuesOf = (param: Item, shape: Shape): string[] => shape.texts(param, 'values', LIMITS.text)

const constraintsOf = (param: Item, shape: Shape): string[] =>
  shape.objects(param, 'constraints').flatMap((one) => oneLine(shape.text(one, 'description')) ?? [])

const oneLine = (text: string | undefined): string | undefined => text?.replaceAll(/\s*\n\s*/g, ' ')

/**
 * What a catalog says of an item's parameters and its prose does not show: usage and guidelines, and the constraints of
 * parameters that have a value or are not part of any prose.
 */
export function parametersOf(item: Item, params: Params, shape: Shape): string | undefined {
  const lines = shape.objects(item, 'params').flatMap((param) => {
    const { id } = param.fields
    if (typeof id !== 'string' || params.items.get(id)?.fields !== param.fields) return []
    const filling: Filling = { path: param.path, params, shape }
    const isShown = params.shown.has(id) && valuesOf(param, shape).length === 0
    const constraints = isShown ? [] : constraintsOf(param, shape)
    const said = [
      oneLine(shape.text(param, 'usage')),
      ...constraints.map((one) => `constraint: ${one}`),
      ...shape.objects(param, 'guidelines').map((one) => oneLine(shape.text(one, 'prose'))),
    ].filter((one) => one !== undefined)
    if (said.length === 0) return []
    const label = shape.text(param, 'label', LIMITS.title) ?? id
    return [`- ${filled(label, filling, [id])}: ${said.map((one) => filled(one, filling, [id])).join(' ')}`]
  })
  return lines.length === 0 ? undefined : `Parameters:\n${lines.join('\n')}`
}
