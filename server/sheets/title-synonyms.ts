import type { Kind } from '../../model/kind.ts'
import { stateField } from '../../model/roles.ts'
import { alike, type SheetColumn } from './columns.ts'
import { withoutBrackets } from './reading/alike.ts'

/*
 * What people call the fields of registers that they keep in spreadsheets. It leads to no more than what a column is
 * taken for until somebody has looked at it.
 */

/** By the name of a field, in whichever kind has it. Of two fields that are called the same the first is meant. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  code: ['id', 'number'],
  externalId: ['id', 'ext id', 'external reference'],
  labels: ['tags', 'keywords'],
  description: ['details'],
  likelihood: ['prob', 'probability', 'chance'],
  impact: ['severity'],
  website: ['homepage', 'url', 'web page'],
  url: ['address', 'url'],
  dueDate: ['deadline', 'due by', 'target date'],
  reviewDate: ['review', 'next review', 'review due'],
  reviewFrequency: ['review cycle', 'review interval', 'frequency of review'],
  workEmail: ['e-mail', 'mail', 'e-mail address', 'business e-mail', 'company e-mail'],
  givenName: ['first name', 'forename'],
  familyName: ['last name', 'surname'],
  jobTitle: ['position', 'role', 'function'],
  managerId: ['manager e-mail', 'manager name', 'supervisor', 'line manager', 'reports to'],
  employeeNumber: ['employee id', 'employee no', 'personnel number', 'staff number'],
  startDate: ['hire date', 'start date', 'joined', 'date of joining'],
  endDate: ['end date', 'leaving date', 'termination date', 'left'],
  headquartersCountry: ['country', 'country of origin'],
  processesPersonalData: ['personal data', 'processes pii'],
  servicesProvided: ['service', 'product'],
  serialNumber: ['serial', 'serial no', 's/n'],
  osVersion: ['os'],
  ipAddresses: ['ip', 'ip address'],
  purchaseDate: ['purchased', 'date of purchase'],
}
const OF_NAME = ['title', 'name', 'what could happen']
const OF_OWNER = ['owner', 'responsible', 'accountable', 'assigned to', 'assignee', 'owner e-mail']
/** What the records of a kind are called as well. */
const NOUNS: Readonly<Record<string, readonly string[]>> = {
  vendor: ['supplier', 'vendor or supplier', 'company'],
  personnel: ['employee', 'person', 'staff member', 'full name'],
}
const OF_STATE = ['status', 'state']

/** The column that may be meant by a title which is not its own; only of those that an import takes. */
export function columnMeant(
  kind: Kind,
  columns: readonly SheetColumn[],
  title: string,
): SheetColumn | undefined {
  const noun = alike(kind.noun.one)
  const letters = alike(withoutBrackets(title))
  const short = letters.startsWith(noun) ? letters.slice(noun.length) : ''
  const taken = columns.filter(({ isTaken }) => isTaken)
  if (letters === noun) return taken.find(({ key }) => key === kind.named)
  return [letters, short]
    .filter((one) => one !== '')
    .map(
      (one) =>
        taken.find((column) => alike(column.title) === one || alike(column.key) === one) ??
        taken.find((column) => synonymsOf(kind, column).some((word) => alike(word) === one)) ??
        amountCalled(taken, one),
    )
    .find((one) => one !== undefined)
}

/** The amount of what has one, called as the whole: of a cost of several parts none is meant. */
function amountCalled(columns: readonly SheetColumn[], letters: string): SheetColumn | undefined {
  const amounts = columns.filter(
    ({ field, path, title }) =>
      field.isMoney && path.length > 1 && alike(title.slice(0, title.lastIndexOf(': '))) === letters,
  )
  return amounts.length === 1 ? amounts[0] : undefined
}

const synonymsOf = (kind: Kind, { key, side }: SheetColumn): readonly string[] => [
  ...(key === kind.named ? [...OF_NAME, ...(NOUNS[kind.name] ?? [])] : []),
  ...(key === kind.owners[0] ? OF_OWNER : []),
  ...(key === stateField(kind) ? OF_STATE : []),
  ...(side ? [side.noun.one] : []),
  ...(Object.hasOwn(SYNONYMS, key) ? SYNONYMS[key]! : []),
]
