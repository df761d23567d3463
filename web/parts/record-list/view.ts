import type { Kind, Values } from '../../../kinds/kind.ts'
import { linkFilter, sidesOf } from '../../../kinds/relations.ts'
import { type Field, fieldsOf } from '../../client/fields.ts'
import { records } from '../../words/records.ts'

/** What of a register is looked at. The address of the page is its view; what it names that is not there is left out. */
export interface View {
  readonly q: string
  readonly sort: string
  /** By field, by `due`, `owned` and `ownerId`, and by what is linked. */
  readonly filters: Readonly<Record<string, readonly string[]>>
}

export interface Filter {
  readonly name: string
  readonly title: string
  readonly form: 'choice' | 'one' | 'principal' | 'record' | 'line'
  readonly options: readonly string[]
  readonly field: Field | undefined
  /** Of which kind the records are that it takes. */
  readonly linked?: Kind
}

const NEWEST_FIRST = '-createdAt'

/** What a list of the kind can be filtered by. */
export function filtersOf(kind: Kind): readonly Filter[] {
  const fields = fieldsOf(kind)
  const own = kind.filters.map((name): Filter => {
    const field = fields.get(name)!
    const options = field.form === 'flag' ? ['true', 'false'] : field.options
    return { name, title: field.title, form: options.length > 0 ? 'choice' : 'line', options, field }
  })
  const due: Filter[] = kind.fields.dueDate
    ? [
        {
          name: 'due',
          title: records.due.title!,
          form: 'choice',
          options: ['overdue', 'soon', 'later', 'none'],
          field: undefined,
        },
      ]
    : []
  const owner: Filter[] = kind.fields.owner
    ? [
        {
          name: 'ownerId',
          title: fields.get('owner')!.title,
          form: 'principal',
          options: [],
          field: undefined,
        },
        {
          name: 'owned',
          title: records.owned.title,
          form: 'one',
          options: ['true', 'false'],
          field: undefined,
        },
      ]
    : []
  const linked = sidesOf(kind).map((side): Filter => {
    const { other } = side
    return {
      name: linkFilter(side),
      title: other.title,
      form: 'record',
      options: [],
      field: undefined,
      linked: other,
    }
  })
  // What the list shows first is what people look for first.
  const [shown, others] = [true, false].map((isShown) =>
    own.filter(({ name }) => kind.columns.includes(name) === isShown),
  )
  return [...shown!, ...owner, ...due, ...others!, ...linked]
}

export function viewOf(kind: Kind, search: Values): View {
  const sort = String(search.sort ?? NEWEST_FIRST)
  const filters = filtersOf(kind).flatMap(({ name, form, options }) => {
    const given = search[name] === undefined ? [] : [search[name]].flat().map(String)
    const values = given.filter((value) => value && (options.length === 0 || options.includes(value)))
    return values.length > 0 ? [[name, form === 'one' ? values.slice(0, 1) : values]] : []
  })
  return {
    q: search.q === undefined ? '' : String(search.q).slice(0, 200),
    sort: kind.sorts.includes(sort.replace('-', '')) ? sort : NEWEST_FIRST,
    filters: Object.fromEntries(filters),
  }
}

/** The view as the address has it. */
export const searchOf = ({ q, sort, filters }: View): Values => ({
  ...(q ? { q } : {}),
  ...filters,
  ...(sort === NEWEST_FIRST ? {} : { sort }),
})

/** The view as the operations take it. */
export function inputOf(kind: Kind, { q, sort, filters }: View): { filters: Values; sort: string } {
  const fields = fieldsOf(kind)
  const given = Object.entries(filters).map(([name, values]) => {
    if (name === 'owned') return [name, values[0] === 'true']
    return [name, fields.get(name)?.form === 'flag' ? values.map((value) => value === 'true') : values]
  })
  return { filters: { ...(q.trim() ? { q: q.trim() } : {}), ...Object.fromEntries(given) }, sort }
}

export const hasFilters = ({ q, filters }: View): boolean => q !== '' || Object.keys(filters).length > 0

export function withFilter(view: View, name: string, values: readonly string[]): View {
  const { [name]: _before, ...others } = view.filters
  return { ...view, filters: values.length > 0 ? { ...others, [name]: values } : others }
}

/** The order after the head of a column was clicked: one way, the other, and back to newest first. */
export function nextSort(field: Field, sort: string): string {
  const first = field.form === 'instant' && field.name !== 'dueDate' ? `-${field.name}` : field.name
  const second = first.startsWith('-') ? field.name : `-${field.name}`
  if (sort === first) return second
  return sort === second && sort !== NEWEST_FIRST ? NEWEST_FIRST : first
}
