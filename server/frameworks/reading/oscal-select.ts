import { LIMITS } from './limits.ts'
import { isObject } from './shape.ts'

/* Selects controls of an OSCAL catalog as a profile's `import` or `insert-controls` says. */

export type Fields = Readonly<Record<string, unknown>>

export const listOf = (fields: Fields, name: string): Fields[] => {
  const list = fields[name]
  return Array.isArray(list) ? list.filter(isObject) : []
}

const textsOf = (fields: Fields, name: string): string[] => {
  const list = fields[name]
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
}

/** Marks a control that is not selected itself and has selected controls below it. */
export const UNSELECTED = Symbol('unselected')

export const isUnselected = (fields: Fields): boolean => UNSELECTED in fields

export class Choice {
  readonly #included: Matcher | null
  readonly #excluded: Matcher
  readonly #met = new Set<string>()

  constructor(fields: Fields) {
    const isAll = fields['include-all'] !== undefined || fields['include-controls'] === undefined
    this.#included = isAll ? null : new Matcher(listOf(fields, 'include-controls'))
    this.#excluded = new Matcher(listOf(fields, 'exclude-controls'))
  }

  /**
   * The selected controls in the groups that they are in. A control that is not selected stays as the heading of selected
   * ones below it; where it is excluded, these take its place.
   */
  of(source: Fields): { groups: Fields[]; controls: Fields[] } {
    return {
      groups: this.#groups(listOf(source, 'groups'), 1),
      controls: this.#controls(listOf(source, 'controls'), 1),
    }
  }

  /** Whether all controls are selected, but for those that are excluded. */
  get isAll(): boolean {
    return this.#included === null
  }

  /** How a control is selected by its own id. */
  match({ id }: Fields): Match {
    if (typeof id !== 'string' || this.#excluded.match(id) !== undefined) return undefined
    return this.#included?.match(id)
  }

  /** The ids that are selected by name and were not met. */
  missing(): string[] {
    return [...(this.#included?.ids ?? [])].filter((id) => !this.#met.has(id))
  }

  #groups(groups: readonly Fields[], depth: number): Fields[] {
    if (depth > LIMITS.depth * 2) return []
    return groups.flatMap((group) => {
      const inner = this.#groups(listOf(group, 'groups'), depth + 1)
      const controls = this.#controls(listOf(group, 'controls'), depth + 1)
      return inner.length + controls.length === 0 ? [] : [{ ...group, groups: inner, controls }]
    })
  }

  #controls(controls: readonly Fields[], depth: number, isIn = false, isOut = false): Fields[] {
    if (depth > LIMITS.depth * 2) return []
    return controls.flatMap((control) => {
      const id = typeof control.id === 'string' ? control.id : ''
      this.#met.add(id)
      const [included, excluded] = [this.#included?.match(id), this.#excluded.match(id)]
      const isChosen = this.#included === null || isIn || included !== undefined
      const isLeft = isOut || excluded !== undefined
      const inner = this.#controls(
        listOf(control, 'controls'),
        depth + 1,
        isIn || included === 'with children',
        isOut || excluded === 'with children',
      )
      if (isLeft) return inner
      if (!isChosen) return inner.length === 0 ? [] : [{ ...control, controls: inner, [UNSELECTED]: true }]
      const copy: Record<string | symbol, unknown> = { ...control, controls: inner }
      if (included !== undefined) delete copy[UNSELECTED]
      return [copy]
    })
  }
}

export type Match = 'alone' | 'with children' | undefined

/** Controls by id or by pattern. */
class Matcher {
  readonly ids = new Set<string>()
  readonly #deep = new Set<string>()
  readonly #patterns: { readonly pattern: string; readonly isDeep: boolean }[] = []

  constructor(selections: readonly Fields[]) {
    for (const one of selections) {
      const isDeep = one['with-child-controls'] === 'yes'
      for (const id of textsOf(one, 'with-ids')) {
        this.ids.add(id)
        if (isDeep) this.#deep.add(id)
      }
      for (const { pattern } of listOf(one, 'matching'))
        if (typeof pattern === 'string' && this.#patterns.length < PATTERNS)
          this.#patterns.push({ pattern, isDeep })
    }
  }

  match(id: string): Match {
    if (this.#deep.has(id)) return 'with children'
    const matching = this.#patterns.filter(({ pattern }) => isLike(id, pattern))
    if (matching.some(({ isDeep }) => isDeep)) return 'with children'
    return this.ids.has(id) || matching.length > 0 ? 'alone' : undefined
  }
}

const PATTERNS = 200

/** Whether a text is of a pattern in which `*` is any letters and `?` is one; it takes no more than their product. */
export function isLike(text: string, pattern: string): boolean {
  if (text.length > LIMITS.key || pattern.length > LIMITS.key) return false
  let [at, wanted, star, from] = [0, 0, -1, 0]
  while (at < text.length) {
    if (pattern[wanted] === '*') {
      star = wanted
      wanted += 1
      from = at
    } else if (pattern[wanted] === '?' || pattern[wanted] === text[at]) {
      at += 1
      wanted += 1
    } else if (star !== -1) {
      from += 1
      at = from
      wanted = star + 1
    } else return false
  }
  while (pattern[wanted] === '*') wanted += 1
  return wanted === pattern.length
}
