import { type Findings, quoted } from './faults.ts'
import { LIMITS } from './limits.ts'
import { type Item, isObject, type Path, type Shape } from './shape.ts'

/*
 * Chooses the key of each group and control of an OSCAL catalog. People know a control by its label, so the label is the
 * key where labels are unique. Ids are unique in a catalog, and labels are only unique among siblings: where two labels
 * are equal, ids are the keys of all of them. A group may have neither; its key is then made from its title.
 */

type Fields = Item['fields']

export interface Keys {
  /** The key of a group or a control, by its object in the file. */
  readonly of: ReadonlyMap<Fields, string>
  /** Keys of controls by their ids, for links. */
  readonly ofControls: ReadonlyMap<string, string>
}

interface Entry {
  readonly fields: Fields
  readonly index: number
  readonly isGroup: boolean
  readonly parent: Entry | undefined
  readonly id: string | undefined
  readonly label: string | undefined
}

export function keysOf(catalog: Item, shape: Shape): Keys {
  const { findings } = shape
  const entries = entriesOf(catalog.fields)
  const groups = withOwnIds(
    entries.filter(({ isGroup }) => isGroup),
    catalog,
    shape,
  )
  const controls = withOwnIds(
    entries.filter(({ isGroup }) => !isGroup),
    catalog,
    shape,
  )
  const of = new Map<Fields, string>()
  const ofControls = new Map<string, string>()
  const keyOfControl = uniqueKeys(controls, ({ label, id }) => label ?? id, new Set(), 'controls', findings)
  for (const one of controls) {
    const key = keyOfControl(one)
    if (key === undefined) continue
    of.set(one.fields, key)
    if (one.id !== undefined && !ofControls.has(one.id)) ofControls.set(one.id, key)
  }
  const taken = new Set(of.values())
  const keyOfGroup = uniqueKeys(groups, (one) => one.label ?? casedAsLabels(one), taken, 'groups', findings)
  for (const one of groups) {
    const key = keyOfGroup(one)
    if (key !== undefined) of.set(one.fields, key)
  }
  nameByTitles(
    groups.filter(({ id, label }) => id === undefined && label === undefined),
    of,
    findings,
  )
  return { of, ofControls }
}

/** All groups and controls in the order of the file, as deep as they may be nested. */
function entriesOf(catalog: Fields): Entry[] {
  const entries: Entry[] = []
  const visit = (fields: Fields, parent: Entry | undefined, depth: number): void => {
    if (depth > LIMITS.depth) return
    for (const name of ['groups', 'controls'] as const) {
      const list = fields[name]
      if (!Array.isArray(list)) continue
      for (const [index, one] of list.entries()) {
        if (!isObject(one)) continue
        const entry: Entry = {
          ...{ fields: one, index, isGroup: name === 'groups', parent },
          ...{ id: textOf(one.id), label: labelIn(one) },
        }
        entries.push(entry)
        visit(one, entry, depth + 1)
      }
    }
  }
  visit(catalog, undefined, 1)
  return entries
}

/** Those of them whose id no earlier one has: exports name controls by their ids, so two with one id are a fault. */
function withOwnIds(entries: readonly Entry[], catalog: Item, shape: Shape): Entry[] {
  const first = new Map<string, Entry>()
  return entries.filter((entry) => {
    const { id, isGroup } = entry
    const other = id === undefined ? undefined : first.get(id)
    if (id !== undefined && !other) first.set(id, entry)
    if (other)
      shape.fault(
        [...pathOf(entry, catalog), 'id'],
        `is ${quoted(id)}, as ${shape.placeOf(pathOf(other, catalog))} has: give each ${isGroup ? 'group' : 'control'} an id of its own`,
      )
    return !other
  })
}

function pathOf({ parent, isGroup, index }: Entry, catalog: Item): Path {
  const above = parent ? pathOf(parent, catalog) : catalog.path
  return [...above, isGroup ? 'groups' : 'controls', index]
}

/** @returns the preferred key of each entry, or its id where preferred keys of two different entries are equal */
function uniqueKeys(
  entries: readonly Entry[],
  preferred: (entry: Entry) => string | undefined,
  taken: ReadonlySet<string>,
  what: string,
  findings: Findings,
): (entry: Entry) => string | undefined {
  const idBy = new Map<string, string | undefined>()
  for (const entry of entries) {
    const key = preferred(entry)?.normalize('NFC')
    if (key === undefined) continue
    const isClash = taken.has(key) || (idBy.has(key) && idBy.get(key) !== entry.id)
    // Two that have no id cannot be distinguished by it.
    if (isClash && entry.id !== undefined) {
      findings.note(
        `Labels of ${what} are not unique, such as ${quoted(key)}: the keys of ${what} are their ids.`,
      )
      return ({ id, label }) => id ?? label
    }
    if (!idBy.has(key)) idBy.set(key, entry.id)
  }
  return preferred
}

/** The id of a group in the letter case of its controls' labels: `ac` of AC-1 becomes AC. */
function casedAsLabels({ id, fields }: Entry): string | undefined {
  const [first] = Array.isArray(fields.controls) ? fields.controls : []
  const called = isObject(first) ? (labelIn(first) ?? textOf(first.id)) : undefined
  if (id === undefined || called === undefined) return id
  return called.toLowerCase().startsWith(id.toLowerCase()) ? called.slice(0, id.length) : id
}

const NAME_LETTERS = 60

/**
 * Names groups by their titles, so that a group keeps its key when others come before it. Where two titles are equal, both
 * are named with the group above them, and then numbered.
 */
function nameByTitles(groups: readonly Entry[], of: Map<Fields, string>, findings: Findings): void {
  if (groups.length === 0) return
  const nameOf = ({ fields }: Entry): string => nameFrom(textOf(fields.title) ?? '')
  const counts = new Map<string, number>()
  for (const group of groups) counts.set(nameOf(group), (counts.get(nameOf(group)) ?? 0) + 1)
  const taken = new Set(of.values())
  const last = new Map<string, number>()
  for (const group of groups) {
    const name = nameOf(group)
    const above = group.parent && of.get(group.parent.fields)
    const isShared = counts.get(name)! > 1 || taken.has(name)
    const wanted =
      isShared && above !== undefined ? `${above.slice(0, LIMITS.key - NAME_LETTERS - 8)}.${name}` : name
    let number = last.get(wanted) ?? 1
    let key = number === 1 ? wanted : `${wanted}-${number}`
    while (taken.has(key)) {
      number += 1
      key = `${wanted}-${number}`
    }
    last.set(wanted, number)
    taken.add(key)
    of.set(group.fields, key)
  }
  const example = of.get(groups[0]!.fields)
  findings.note(
    groups.length === 1
      ? `One group has neither an id nor a label: its key is made from its title, ${quoted(example)}.`
      : `${groups.length} groups have neither an id nor a label: their keys are made from their titles, such as ${quoted(example)}.`,
  )
}

const nameFrom = (title: string): string =>
  title
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, NAME_LETTERS)
    .toWellFormed()
    .replaceAll(/^-|-$/g, '') || 'group'

/** What is wrong with a text is reported where requirements are read. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
  return text === '' || text.length > LIMITS.key * 10 ? undefined : text
}

/** The label that is printed: the one without a class, else the first. */
function labelIn({ props }: Fields): string | undefined {
  if (!Array.isArray(props)) return undefined
  const labels = props.filter((one) => isObject(one) && one.name === 'label')
  const label = labels.find((one) => one.class === undefined) ?? labels[0]
  return label && textOf(label.value)
}
