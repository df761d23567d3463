/*
 * What the pages of records say. Fields and sections have their titles in the kinds; a choice is shown as its
 * own word, spelled out here only where that would read badly.
 */

import { capital } from '../../model/capital.ts'
import type { Field } from '../../model/described-field.ts'
import type { Kind, Noun } from '../../model/kind.ts'
import { withArticle } from '../../model/roles.ts'
import { valueWord } from '../../model/value-word.ts'
import { matrixWord } from '../client/risk-matrix.ts'
import { counted, countWord } from './counts.ts'

export { valueWord }

/** A choice of a field: by the label that it was given, or as its own word. */
export const optionOf = ({ labels, ofMatrix }: Pick<Field, 'labels' | 'ofMatrix'>, option: string): string =>
  labels?.[option] ?? matrixWord(ofMatrix, option) ?? valueWord(option)

/** A title inside a sentence; an abbreviation stays as it is. */
export const lower = (title: string): string =>
  /^\S+\p{Lu}/u.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1)

interface RegisterWords {
  title: string
  /** In the navigation, beneath the module. */
  short?: string
  many?: string
}

const REGISTERS: Readonly<Record<string, RegisterWords>> = {
  risk: {
    title: 'Risk register',
    short: 'Register',
  },
  risk_treatment: {
    title: 'Risk treatments',
    short: 'Treatments',
  },
  security_finding: {
    title: 'Security findings',
    short: 'Findings',
  },
  risk_acceptance: {
    title: 'Risk acceptances',
    short: 'Acceptances',
  },
  policy_version: {
    title: 'Policy versions',
    short: 'Versions',
  },
  policy_decision: {
    title: 'Policy decisions',
    short: 'Decisions',
  },
  policy_exception: {
    title: 'Policy exceptions',
    short: 'Exceptions',
  },
  compliance_plan: {
    title: 'Compliance plans',
    short: 'Plans',
  },
  personnel: {
    title: 'People',
    short: 'Directory',
    many: 'people',
  },
}

/** What the list of a kind is called; a kind that says nothing here is called by its own words. */
export function registerWords({ name, noun: { one, many, article } }: Pick<Kind, 'name' | 'noun'>) {
  const own = REGISTERS[name]
  return {
    title: own?.title ?? capital(many),
    short: own?.short ?? own?.title ?? capital(many),
    one,
    many: own?.many ?? many,
    ...(article && { article }),
  }
}

/** What the records at the other end of a relation are called: as its own words have it, or as their register is. */
export const sideWords = ({
  relation,
  other,
  noun,
}: {
  relation: { called?: object }
  other: Pick<Kind, 'name' | 'noun'>
  noun: Noun
}): { one: string; many: string } => (relation.called ? noun : registerWords(other))

export const records = {
  add: (title: string) => `Add ${lower(title)}`,
  search: (many: string) => `Search ${many}`,
  columns: 'Columns',
  columnsHint: 'Saved in this browser.',
  columnsReset: 'Reset columns',
  filter: 'Filter',
  filterBy: (title: string) => `Filter by ${lower(title)}`,
  removeFilter: (title: string) => `Remove filter: ${title}`,
  clearFilters: 'Clear',
  chosen: (title: string, values: string) => `${title}: ${values}`,
  selectAll: 'Select all rows that are loaded',
  select: (reference: string) => `Select ${reference}`,
  sortBy: (title: string) => `Sort by ${lower(title)}`,
  nobody: 'Nobody',
  noValue: 'Not set',
  none: '—',
  inactive: 'not active',
  steps: (done: number, all: number) => `${countWord(done)} of ${countWord(all)}`,
  yes: 'Yes',
  no: 'No',
  due: {
    title: 'Deadline',
    overdue: 'Overdue',
    soon: 'Within 7 days',
    later: 'Later',
    none: 'No date',
  } as Readonly<Record<string, string>>,
  owned: { title: 'Ownership', true: 'Has an owner', false: 'Without owner' },
  archived: { title: 'Archived', only: 'Only archived', with: 'Active and archived' },
  reference: 'Reference',
  changeField: (title: string, reference: string) => `Change ${lower(title)} of ${reference}`,
  end: (title: string) => `This ${lower(title)} is final`,
  failed: (reference: string) => `${reference} was not changed`,
  read: (rows: number, all: number) => `${countWord(rows)} of ${countWord(all)} rows read`,
  retryMore: 'Load more',
  owner: {
    search: 'Search people',
    nobody: 'No owner',
    user: 'member',
    personnel: 'directory',
  },
  reason: {
    title: (title: string, state: string) => `Change ${lower(title)} to ${state}`,
    gets: (count: number) => `Your answer is saved to ${counted(count, 'record', 'records')}.`,
    keeps: (count: number) =>
      `${countWord(count)} ${count === 1 ? 'already has one and keeps it' : 'already have one and keep it'}.`,
    titleMany: (count: number, state: string) => `Change ${counted(count, 'record', 'records')} to ${state}`,
    titleManyOf: (title: string, count: number, state: string) =>
      `Change ${lower(title)} of ${counted(count, 'record', 'records')} to ${state}`,
    submit: (state: string) => `Set to ${state}`,
  },
  form: {
    title: (noun: Noun) => `${noun.made ?? 'Add'} ${withArticle(noun)}`,
    submit: ({ one, made = 'Add' }: Noun) => `${made} ${one}`,
    more: 'More fields',
    fewer: 'Fewer fields',
    others: 'Other fields',
    required: 'Fields with a * are required.',
    keys: 'Ctrl-Enter saves',
    several: 'Separate several with commas.',
    lines: 'Each on a line of its own.',
    nobodyElse: 'Nobody else',
    leaveOut: 'Leave out',
    item: (title: string, at: number) => `${title} ${at}`,
    addItem: 'Add',
    addItemTo: (title: string) => `Add to ${lower(title)}`,
    removeItem: (title: string, at: number) => `Remove ${at} of ${lower(title)}`,
    lose: {
      title: 'Discard unsaved changes?',
      text: 'What you typed was not saved and will be lost.',
      submit: 'Discard',
      stay: 'Keep editing',
    },
    added: (reference: string) => `${reference} was added`,
    open: 'Open',
    choose: 'Choose',
    search: 'Search',
    itemOfNothing: 'Choose the plan first.',
  },
  keys: { search: '/', next: 'j', previous: 'k', select: 'x', create: 'c' },
}

export const palette = {
  open: 'Search',
  hint: 'Ctrl K',
  title: 'Search and commands',
  placeholder: 'Search pages, records and actions',
  groups: { pages: 'Pages', actions: 'Actions', records: 'Records', byId: 'By its id' },
  nothing: 'Nothing found',
  archived: 'Archived',
  endpoint: 'Endpoint',
  delivery: 'Delivery',
  light: 'Light colours',
  dark: 'Dark colours',
  help: 'Help',
  docs: 'API documentation',
}
