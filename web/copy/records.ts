/*
 * What the pages of records say. Fields and sections have their titles in the kinds; a choice is shown as its
 * own word, spelled out here only where that would read badly.
 */

import { capital } from '../../model/capital.ts'
import type { Kind, Noun } from '../../model/kind.ts'
import { withArticle } from '../../model/roles.ts'
import { countWord } from './counts.ts'

/** How a choice reads: `in_treatment` is "In treatment". */
export const valueWord = (value: string): string => SPELLED[value] ?? capital(value.replaceAll('_', ' '))

const SPELLED: Readonly<Record<string, string>> = {
  ai: 'AI',
  ad_hoc: 'Ad hoc',
  api: 'API',
  mcp: 'MCP',
  ci_manifest: 'CI manifest',
  third_party: 'Third party',
  xs: 'XS',
  s: 'S',
  m: 'M',
  l: 'L',
  xl: 'XL',
}

/** A title inside a sentence; an abbreviation stays as it is. */
export const lower = (title: string): string =>
  /^\p{Lu}{2}/u.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1)

interface RegisterWords {
  title: string
  /** In the navigation, beneath the module. */
  short?: string
  text?: string
  many?: string
}

const REGISTERS: Readonly<Record<string, RegisterWords>> = {
  risk: {
    title: 'Risk register',
    short: 'Register',
    text: 'What could go wrong, how bad it would be, and who sees to it.',
  },
  control: {
    title: 'Controls',
    text: 'What is done so that rules are kept and risks stay small.',
  },
  personnel: {
    title: 'People',
    short: 'Directory',
    text: 'Everybody who works here. They may own records without ever signing in.',
    many: 'people',
  },
}

/** What the list of a kind is called; a kind that says nothing here is called by its own words. */
export function registerWords({ name, noun: { one, many } }: Pick<Kind, 'name' | 'noun'>) {
  const own = REGISTERS[name]
  return {
    title: own?.title ?? capital(many),
    short: own?.short ?? own?.title ?? capital(many),
    text: own?.text,
    one,
    many: own?.many ?? many,
  }
}

export const records = {
  add: (title: string) => `Add ${lower(title)}`,
  search: (many: string) => `Search ${many}`,
  columns: 'Columns',
  columnsHint: 'Saved in this browser.',
  columnsReset: 'Reset columns',
  filter: 'Filter',
  filterBy: (title: string) => `Filter by ${title.toLowerCase()}`,
  removeFilter: (title: string) => `Remove filter: ${title}`,
  clearFilters: 'Clear',
  chosen: (title: string, values: string) => `${title}: ${values}`,
  selectAll: 'Select all rows that are loaded',
  select: (reference: string) => `Select ${reference}`,
  sortBy: (title: string) => `Sort by ${title.toLowerCase()}`,
  nobody: 'Nobody',
  noValue: 'Not set',
  none: '—',
  inactive: 'not active',
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
  reference: 'Reference',
  changeField: (title: string, reference: string) => `Change ${title.toLowerCase()} of ${reference}`,
  end: 'This status is final',
  failed: (reference: string) => `${reference} was not changed`,
  read: (rows: number, all: number) => `${countWord(rows)} of ${countWord(all)} rows read`,
  retryMore: 'Load more',
  owner: {
    search: 'Search people',
    nobody: 'No owner',
    none: 'No match',
    user: 'member',
    personnel: 'directory',
  },
  reason: {
    title: (state: string) => `Change status to ${state}`,
    titleMany: (count: number, state: string) => `Change ${countWord(count)} to ${state}`,
    submit: (state: string) => `Set to ${state}`,
  },
  bulk: {
    label: 'Selected rows',
    selected: (count: number) => `${countWord(count)} selected`,
    status: 'Set status',
    stateOf: (title: string) => `Set ${lower(title)}`,
    owner: 'Set owner',
    clear: 'Clear selection',
    running: (done: number, all: number) => `${countWord(done)} of ${countWord(all)}`,
    done: (changed: number) => `${countWord(changed)} changed`,
    faults: (count: number) => (count === 1 ? '1 was not changed' : `${countWord(count)} were not changed`),
    stop: 'Stop',
    close: 'Close',
    noState: 'The status of these cannot change',
    selectMatching: (total: number) => `Select all ${countWord(total)}`,
    reading: (read: number, all: number) => `${countWord(read)} of ${countWord(all)} read`,
    gets: (count: number) => `Your answer is saved to ${countWord(count)}.`,
    keeps: (count: number) =>
      `${countWord(count)} ${count === 1 ? 'already has one and keeps it' : 'already have one and keep it'}.`,
    unable: (count: number, state: string, next: readonly string[]) =>
      `${stays(count, state)}, which can ${next.length > 0 ? `only change to ${next.join(' or ')}` : 'no longer change'}.`,
    forAdmins: (count: number, state: string) => `${stays(count, state)}, which only an admin can change.`,
    already: (count: number, value: string) => `${countWord(count)} already set to ${value}.`,
    undo: (count: number) => `Undo ${countWord(count)}`,
    undone: (count: number) => `${countWord(count)} undone`,
    notUndone: (count: number) =>
      count === 1 ? '1 could not be undone' : `${countWord(count)} could not be undone`,
    untried: (count: number) => `${countWord(count)} skipped`,
    meanwhile: 'somebody changed it in the meantime, so it was skipped.',
    andMore: (references: readonly string[]) =>
      references.length > 20
        ? `And ${countWord(references.length)} more: ${references.slice(0, 20).join(', ')} …`
        : `And ${references.join(', ')}`,
  },
  csv: {
    action: 'Export CSV',
    running: (rows: number, all: number | undefined) =>
      all === undefined ? `${countWord(rows)} rows` : `${countWord(rows)} of ${countWord(all)} rows`,
    stop: 'Stop',
    progress: 'Export',
    saved: (rows: number) => `${countWord(rows)} rows saved`,
    stopped: 'Export stopped; nothing was saved.',
  },
  empty: {
    title: (many: string) => `No ${many} yet`,
    text: (one: string) => `Add the first ${one} here, or from a program:`,
    textOnly: (one: string) => `Add the first ${one} here.`,
    viewer: 'Editors and admins add them.',
    key: 'PLUMBLINE_KEY holds an API key with the scope',
  },
  nothing: {
    title: 'No matches',
    text: 'Nothing matches all of these filters and search words.',
    clear: 'Clear filters and search',
  },
  form: {
    title: (noun: Noun) => `Add ${withArticle(noun)}`,
    submit: ({ one }: Noun) => `Add ${one}`,
    more: 'More fields',
    fewer: 'Fewer fields',
    others: 'Other fields',
    required: 'Fields with a * are required.',
    keys: 'Ctrl-Enter saves',
    labels: 'Separate them with commas.',
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
  },
  keys: { search: '/', next: 'j', previous: 'k', select: 'x', create: 'c' },
}

const stays = (count: number, state: string): string =>
  `${countWord(count)} ${count === 1 ? 'stays' : 'stay'} ${state}`

export const palette = {
  open: 'Search',
  hint: 'Ctrl K',
  title: 'Search and commands',
  placeholder: 'Search pages, records and actions',
  groups: { pages: 'Pages', actions: 'Actions', records: 'Records', byId: 'By its id' },
  nothing: 'Nothing found',
  endpoint: 'Endpoint',
  delivery: 'Delivery',
  light: 'Light colours',
  dark: 'Dark colours',
  help: 'Help',
  docs: 'API documentation',
}
