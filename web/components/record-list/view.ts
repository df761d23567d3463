import { capital } from '../../../model/capital.ts'
import type { Values } from '../../../model/complaint.ts'
import { CUSTOM_FIELDS } from '../../../model/custom-field.ts'
import type { DescribedKind, KindEntry } from '../../../model/described-kind.ts'
import { endsOf, NONE } from '../../../model/filter-names.ts'
import { deadlineOf, ownerOf, principalId } from '../../../model/roles.ts'
import { linkFilter } from '../../../model/sides.ts'
import { isInYears } from '../../../model/times.ts'
import { type Field, fieldsOf } from '../../client/fields.ts'
import { everyKind, sidesOf } from '../../client/kinds.ts'
import { records } from '../../copy/records.ts'
import { register } from '../../copy/register.ts'

/**
 * What of a register is looked at. The address of the page is its view; what it names that is not there is left out.
 */
export interface View {
  readonly q: string
  readonly sort: string
  /** The field whose values the rows stand under; null where they stand in one list. */
  readonly group: string | null
  /** By field, by `due`, `owned` and the ids of owners, and by what is linked. */
  readonly filters: Readonly<Record<string, readonly string[]>>
}

export interface Filter {
  readonly name: string
  readonly title: string
  readonly form: 'choice' | 'one' | 'principal' | 'record' | 'line' | 'words' | 'dates' | 'numbers'
  readonly options: readonly string[]
  readonly field: Field | undefined
  /** Of which kind the records are that it takes. */
  readonly linked?: KindEntry
  /** Of a filter between two ends: how the operations call them. */
  readonly ends: readonly string[]
  /** The word that finds what has no value; none where everything has one. */
  readonly unset: string | undefined
}

/** What the address names of a filter. */
export const namesOf = ({ name, ends }: Filter): readonly string[] => [name, ...ends]

export const NEWEST_FIRST = '-createdAt'

/** The order of a list by default: requirements as their framework prints them, all else newest first. */
export const defaultSort = ({ sortFields }: Pick<DescribedKind, 'sortFields'>): string =>
  sortFields.includes('sortOrder') ? 'sortOrder' : NEWEST_FIRST

const FORMS = { values: 'line', overlap: 'words', dates: 'dates', numbers: 'numbers' } as const

const known = new WeakMap<DescribedKind, readonly Filter[]>()

/** What a list of the kind can be filtered by. */
export function filtersOf(kind: DescribedKind): readonly Filter[] {
  const filters = known.get(kind) ?? readFilters(kind)
  known.set(kind, filters)
  return filters
}

function readFilters(kind: DescribedKind): readonly Filter[] {
  const fields = fieldsOf(kind)
  const own = kind.filterFields.map((one): Filter => {
    const field = fields.get(one.name)!
    const choices = field.form === 'flag' ? ['true', 'false'] : field.options
    const options = choices.length > 0 && one.unset ? [...choices, one.unset] : choices
    const form = options.length > 0 ? 'choice' : FORMS[one.form]
    const linked = everyKind.find(({ idPrefix }) => idPrefix === field.target)
    return {
      name: one.name,
      title: one.name === deadlineOf(kind) ? register.deadline(field.title) : field.title,
      form: linked ? 'record' : form,
      options,
      field,
      ends: endsOf(one),
      unset: one.unset,
      ...(linked && { linked }),
    }
  })
  const due: Filter[] = deadlineOf(kind)
    ? [
        {
          name: 'due',
          title: records.due.title!,
          form: 'choice',
          options: ['overdue', 'soon', 'later', NONE],
          field: undefined,
          ends: [],
          unset: NONE,
        },
      ]
    : []
  const called: Filter = {
    name: 'reference',
    title: fields.get('reference')!.title,
    form: 'words',
    options: [],
    field: fields.get('reference'),
    ends: [],
    unset: undefined,
  }
  const owners = kind.owners.map((owner): Filter => {
    const { title } = fields.get(owner)!
    return {
      name: principalId(owner),
      title,
      form: 'principal',
      options: [],
      field: undefined,
      ends: [],
      unset: NONE,
    }
  })
  const owned: Filter[] = ownerOf(kind)
    ? [
        {
          name: 'owned',
          title: records.owned.title,
          form: 'one',
          options: ['true', 'false'],
          field: undefined,
          ends: [],
          unset: undefined,
        },
      ]
    : []
  const linked = sidesOf(kind).map((side): Filter => {
    const { other } = side
    return {
      name: linkFilter(side),
      title: side.relation.called ? capital(side.noun.one) : other.title,
      form: 'record',
      options: [],
      field: undefined,
      ends: [],
      unset: NONE,
      linked: other,
    }
  })
  const archived: Filter = {
    name: 'archived',
    title: records.archived.title,
    form: 'one',
    options: ['only', 'with'],
    field: undefined,
    ends: [],
    unset: undefined,
  }
  // What the list shows first is what people look for first.
  const [shown, others] = [true, false].map((isShown) =>
    own.filter(({ name }) => kind.columns.includes(name) === isShown),
  )
  return [...shown!, ...owners, ...owned, ...due, ...others!, ...linked, called, archived]
}

export function viewOf(kind: DescribedKind, search: Values): View {
  const sort = String(search.sort ?? defaultSort(kind))
  const filters = filtersOf(kind).flatMap((filter) =>
    namesOf(filter).flatMap((name) => {
      const { form, unset } = filter
      const isRange = form === 'dates' || form === 'numbers'
      const options = isRange ? (name === filter.name && unset ? [unset] : []) : filter.options
      const given = search[name] === undefined ? [] : [search[name]].flat().map(String)
      const isOne = form === 'one' || filter.ends.includes(name)
      const values = given.filter(
        (value) => value && (options.length === 0 || options.includes(value)) && isEnd(filter, name, value),
      )
      return values.length > 0 ? [[name, isOne ? values.slice(0, 1) : values]] : []
    }),
  )
  return {
    q: search.q === undefined ? '' : String(search.q).slice(0, 200),
    group: groupsOf(kind).find(({ name }) => name === search.group)?.name ?? null,
    sort: kind.sortFields.includes(sort.replace(/^-/, '')) ? sort : defaultSort(kind),
    filters: Object.fromEntries(filters),
  }
}

/** Besides what rows are found by. */
const ASIDE = ['q', 'sort', 'group', 'add']

/**
 * The filters of the address that are left out of its view, wholly or in part: one that is not there (any more), as of a
 * custom field that was retired, or a value that it does not have.
 */
export const leftOutOf = (search: Values, { filters }: View): readonly string[] =>
  Object.keys(search).filter(
    (name) => !ASIDE.includes(name) && [search[name]].flat().length !== filters[name]?.length,
  )

/** The view as the address has it. */
export const searchOf = ({ q, sort, group, filters }: View, usual = NEWEST_FIRST): Values => ({
  ...(q ? { q } : {}),
  ...filters,
  ...(sort === usual ? {} : { sort }),
  ...(group ? { group } : {}),
})

/** The view as the operations take it. */
export function inputOf(kind: DescribedKind, { q, sort, filters }: View): { filters: Values; sort: string } {
  const fields = fieldsOf(kind)
  const ends = new Map(filtersOf(kind).flatMap((filter) => filter.ends.map((end) => [end, filter] as const)))
  const given = Object.entries(filters).map(([name, values]) => {
    const between = ends.get(name)
    if (between) return [name, endOf(between, name, values[0]!)]
    if (name === 'owned') return [name, values[0] === 'true']
    if (name === 'archived') return [name, values[0]]
    return [name, fields.get(name)?.form === 'flag' ? values.map((value) => value === 'true') : values]
  })
  return { filters: { ...(q.trim() ? { q: q.trim() } : {}), ...Object.fromEntries(given) }, sort }
}

/** Whether a value of the address is one that the end of a filter can be; whatever another one is. */
export function isEnd({ form, ends }: Filter, name: string, value: string): boolean {
  if (!ends.includes(name)) return true
  if (form === 'dates') return isDay(value)
  return (isFraction(name) ? /^-?\d{1,12}(\.\d{1,6})?$/ : /^-?\d{1,9}$/).test(value)
}

/** Whether its numbers need not be whole, as those of custom fields. */
export const isFraction = (name: string): boolean => name.startsWith(`${CUSTOM_FIELDS}.`)

/** Whether it is a day of the calendar, of the years that are taken. */
function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) && isInYears(text)
}

/** A day in the reader's zone begins at its first moment and ends at its last. */
function endOf({ form, field, ends }: Filter, name: string, value: string): string | number {
  if (form === 'numbers') return Number(value)
  if (field?.form === 'day') return value
  const isLast = name === ends[1]
  return new Date(`${value}T${isLast ? '23:59:59.999' : '00:00:00.000'}`).toISOString()
}

/** The fields by which rows can be grouped: those that are counted, and whose they are. */
export function groupsOf(kind: DescribedKind): readonly Field[] {
  const fields = fieldsOf(kind)
  const isCounted = ({ name, form }: Field) => form === 'choice' && kind.filters.includes(name)
  const owner = fields.get(ownerOf(kind) ?? '')
  const counted = [...fields.values()].filter(isCounted)
  // What stands in the list first is what people look at it by.
  const first = counted.filter(({ name }) => kind.columns.includes(name))
  return [...first, ...(owner ? [owner] : []), ...counted.filter((field) => !first.includes(field))]
}

export const hasFilters = ({ q, filters }: View): boolean => q !== '' || Object.keys(filters).length > 0

export function withFilter(view: View, name: string, values: readonly string[]): View {
  const { [name]: _before, ...others } = view.filters
  return { ...view, filters: values.length > 0 ? { ...others, [name]: values } : others }
}

export const withoutFilter = (view: View, filter: Filter): View =>
  namesOf(filter).reduce((next, name) => withFilter(next, name, []), view)

/** The order after the head of a column was clicked: one way, the other, and back to that by default. */
export function nextSort(field: Field, sort: string, usual = NEWEST_FIRST): string {
  const isHighFirst = field.isLevel || field.form === 'number'
  const isNewFirst = field.form === 'instant' && !field.isDeadline
  const first = isHighFirst || isNewFirst ? `-${field.name}` : field.name
  const second = first.startsWith('-') ? field.name : `-${field.name}`
  if (sort === first) return second
  return sort === second && sort !== usual ? usual : first
}
