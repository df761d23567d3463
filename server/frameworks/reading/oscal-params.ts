import { LIMITS } from './limits.ts'
import { type Item, isObject, type Path, type Shape } from './shape.ts'

/*
 * Parameters are what an organization decides by itself. In the prose they stand as people print them: a value where the
 * catalog has one, else "[Assignment: organization-defined frequency]" or "[Selection (one or more): remove; disable]".
 */

/** Of the whole catalog, by their ids. */
export interface Params {
  readonly items: ReadonlyMap<string, Item>
  /** Those that are put into prose already, as they are shown: one that names others is not built anew each time. */
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
const INSERTED = /\{\{\s*(?:insert:\s*)?(?:param,\s*|param:\s*)?([\w.:-]+)\s*\}\}(?: (?=[;,.:]))?/g

/** A text with its parameters in it. */
export function withParams(text: string, path: Path, params: Params, shape: Shape): string {
  return filled(text, { path, params, shape }, [])
}

interface Filling {
  readonly path: Path
  readonly params: Params
  readonly shape: Shape
}

function filled(text: string, filling: Filling, within: readonly string[]): string {
  const all = text.replaceAll(INSERTED, (_, id: string) => shown(id, filling, within))
  if (all.length <= LIMITS.text) return all
  const { path, shape } = filling
  shape.fault(path, `has ${all.length} letters with its parameters: shorten it to ${LIMITS.text}`)
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
  const values = shape.texts(param, 'values', LIMITS.text)
  if (values.length > 0) return values.map((value) => filled(value, filling, within)).join(', ')
  const { select } = param.fields
  if (isObject(select)) {
    const choices = { fields: select, path: [...param.path, 'select'] }
    const many = select['how-many'] === 'one-or-more' ? ' (one or more)' : ''
    const all = shape.texts(choices, 'choice', LIMITS.text).join('; ')
    return `[Selection${many}: ${filled(all, filling, within).trim()}]`
  }
  const label = shape.text(param, 'label', LIMITS.title)
  return `[Assignment: ${label === undefined ? (param.fields.id as string) : filled(label, filling, within)}]`
}
