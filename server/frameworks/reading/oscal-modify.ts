import { type Fields, listOf } from './oscal-select.ts'
import { isObject } from './shape.ts'

/* Modifies a resolved catalog as a profile says: parameters are set, and parts of controls are removed and added. */

type Mutable = Record<string, unknown>

/** @returns the ids that the profile modifies and that are not there */
export function modify(catalog: Mutable, rules: Fields): string[] {
  const places = placesIn(catalog)
  const missing: string[] = []
  for (const set of listOf(rules, 'set-parameters')) {
    const place = places.params.get(set['param-id'] as string)
    if (!place) missing.push(String(set['param-id']))
    else place.list[place.index] = withSetting(place.list[place.index] as Fields, set)
  }
  for (const alter of listOf(rules, 'alters')) {
    const control = places.controls.get(alter['control-id'] as string)
    if (!control) {
      missing.push(String(alter['control-id']))
      continue
    }
    if (!places.copied.has(control)) {
      // What is altered belongs to the given catalog as well, and another profile may import that.
      for (const name of ITEMS)
        if (Array.isArray(control[name])) control[name] = structuredClone(control[name])
      places.copied.add(control)
    }
    const removes = listOf(alter, 'removes')
    for (const remove of removes) removeFrom(control, remove)
    const before = removes.length > 0 ? undefined : places.items.get(control)
    const items = before ?? itemsIn(control)
    places.items.set(control, items)
    for (const add of listOf(alter, 'adds'))
      if (!addTo(control, items, add))
        missing.push(`${String(add['by-id'])} of ${String(alter['control-id'])}`)
  }
  return missing
}

/** What controls and parts consist of, by the name of the list, and what one is called in `by-item-name`. */
const ITEM_NAMES: Readonly<Record<string, string>> = {
  params: 'param',
  props: 'prop',
  links: 'link',
  parts: 'part',
}
const ITEMS = Object.keys(ITEM_NAMES)

interface Places {
  readonly controls: Map<string, Mutable>
  readonly params: Map<string, { readonly list: unknown[]; readonly index: number }>
  /** Controls whose items were copied. */
  readonly copied: Set<Mutable>
  /** What has an id in a control that was altered. */
  readonly items: Map<Mutable, Items>
}

type Items = Map<
  string,
  { readonly holder: Mutable; readonly list: 'parts' | 'params'; readonly item: Mutable }
>

/** Where controls and parameters are. Lists of parameters are copied, as they are changed. */
function placesIn(catalog: Mutable): Places {
  const places: Places = { controls: new Map(), params: new Map(), copied: new Set(), items: new Map() }
  const waiting: Mutable[] = [catalog]
  while (waiting.length > 0) {
    const one = waiting.pop()!
    if (Array.isArray(one.params)) {
      const list = [...(one.params as unknown[])]
      one.params = list
      for (const [index, param] of list.entries())
        if (isObject(param) && typeof param.id === 'string' && !places.params.has(param.id))
          places.params.set(param.id, { list, index })
    }
    for (const group of listOf(one, 'groups')) waiting.push(group as Mutable)
    for (const control of listOf(one, 'controls') as Mutable[]) {
      if (typeof control.id === 'string' && !places.controls.has(control.id))
        places.controls.set(control.id, control)
      waiting.push(control)
    }
  }
  return places
}

const ADDED = ['props', 'links', 'constraints', 'guidelines']

function withSetting(param: Fields, { 'param-id': _, ...set }: Fields): Fields {
  const lists = ADDED.filter((name) => set[name] !== undefined).map((name) => [
    name,
    [...listOf(param, name), ...listOf(set, name)],
  ])
  return { ...param, ...set, ...Object.fromEntries(lists) }
}

const CRITERIA: readonly (readonly [criterion: string, field: string])[] = [
  ['by-name', 'name'],
  ['by-class', 'class'],
  ['by-id', 'id'],
  ['by-ns', 'ns'],
]

function removeFrom(holder: Mutable, remove: Fields): void {
  const wanted = CRITERIA.filter(([criterion]) => remove[criterion] !== undefined)
  const item = remove['by-item-name']
  if (wanted.length === 0 && item === undefined) return
  const isMeant = (name: string, one: unknown) =>
    isObject(one) &&
    (item === undefined || item === ITEM_NAMES[name]) &&
    wanted.every(([criterion, field]) => one[field] === remove[criterion])
  const waiting: Mutable[] = [holder]
  while (waiting.length > 0) {
    const one = waiting.pop()!
    for (const name of ITEMS) {
      const list = one[name]
      if (!Array.isArray(list)) continue
      one[name] = list.filter((each) => !isMeant(name, each))
      if (name === 'parts') waiting.push(...(listOf(one, name) as Mutable[]))
    }
  }
}

/** @returns whether the place is there that it names */
function addTo(control: Mutable, items: Items, add: Fields): boolean {
  const { position = 'ending', 'by-id': id } = add
  const isFirst = position === 'starting' || position === 'before'
  if (typeof add.title === 'string') control.title = add.title
  const added = ITEMS.filter((name) => listOf(add, name).length > 0)
  if (typeof id !== 'string' || id === control.id) {
    for (const name of added) insert(control, name, listOf(add, name), isFirst ? 'first' : 'last', items)
    return true
  }
  const found = items.get(id)
  if (!found) return false
  const { holder, list, item } = found
  const isWithin = position === 'starting' || position === 'ending'
  for (const name of added) {
    const all = listOf(add, name)
    if (isWithin) insert(item, name, all, isFirst ? 'first' : 'last', items)
    else if (name !== list) insert(holder, name, all, isFirst ? 'first' : 'last', items)
    else {
      const index = listOf(holder, name).indexOf(item)
      insert(holder, name, all, isFirst ? index : index + 1, items)
    }
  }
  return true
}

function insert(
  holder: Mutable,
  name: string,
  given: readonly Fields[],
  at: number | 'first' | 'last',
  items: Items,
): void {
  const list = listOf(holder, name)
  const added = structuredClone(given) as Mutable[]
  holder[name] = list.toSpliced(at === 'first' ? 0 : at === 'last' ? list.length : at, 0, ...added)
  if (name === 'parts' || name === 'params') remember(holder, name, added, items)
}

function itemsIn(control: Mutable): Items {
  const items: Items = new Map()
  for (const list of ['params', 'parts'] as const)
    remember(control, list, listOf(control, list) as Mutable[], items)
  return items
}

function remember(holder: Mutable, list: 'parts' | 'params', all: readonly Mutable[], items: Items): void {
  const waiting = all.map((item) => ({ holder, list, item }))
  while (waiting.length > 0) {
    const found = waiting.pop()!
    const { item } = found
    if (typeof item.id === 'string' && !items.has(item.id)) items.set(item.id, found)
    for (const part of listOf(item, 'parts') as Mutable[])
      waiting.push({ holder: item, list: 'parts', item: part })
  }
}
