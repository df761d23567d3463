import { columnOf } from './column-names.ts'
import type { Values } from './complaint.ts'
import type { Kind, Noun } from './kind.ts'
import type { StateMachine } from './states.ts'

/*
 * What the fields of a kind are to its records. A kind says it, and nothing else knows a field by its name: whoever
 * wants the name of a record, its owner or when it is due asks here.
 */

/** What a record is called: by its name, or by its reference where it has none. */
export const nameOf = ({ named }: Pick<Kind, 'named'>, record: Values): string =>
  String(record[named] ?? record.reference)

/** The column of what a kind's records are called by. */
export const nameColumn = ({ named }: Pick<Kind, 'named'>): string => columnOf(named)

/** The field that says whose a record is; none of a kind that belongs to nobody. */
export const ownerOf = ({ owners }: Pick<Kind, 'owners'>): string | undefined => owners[0]

/** The id that answers, filters and changes have of a principal: `ownerId` of `owner`. */
export const principalId = (field: string): string => `${field}Id`

/** The two columns that hold a principal, of which at most one is set. */
export const principalColumns = (field: string): { user: string; personnel: string } => ({
  user: `${columnOf(field)}_user_id`,
  personnel: `${columnOf(field)}_personnel_id`,
})

/** The date by which a record is overdue or due soon; none of a kind that is never due. */
export const deadlineOf = ({ deadlines }: Pick<Kind, 'deadlines'>): string | undefined =>
  deadlineFields({ deadlines })[0]

/** All dates by which something has to be done. */
export const deadlineFields = ({ deadlines }: Pick<Kind, 'deadlines'>): readonly string[] =>
  Object.values(deadlines).map(({ field }) => field)

/**
 * The index that holds what a field says to be unique. What a caller can mend is told by such a name
 * (server/database/errors.ts).
 */
export const uniqueIndex = ({ table }: Pick<Kind, 'table'>, field: string): string =>
  `${table}_${columnOf(field)}_unique`

/** The field that a record is called by beside its id; none of a kind that is called by that alone. */
export const keyField = ({ addressedBy }: Pick<Kind, 'addressedBy'>): string | undefined => addressedBy[1]

/** Whether a text has the form of the ids of a kind. */
export const isIdOf = ({ idPrefix }: Pick<Kind, 'idPrefix'>, text: string): boolean =>
  new RegExp(`^${idPrefix}_[0-9a-z]{26}$`).test(text)

/** The field whose state is said of a record; none of a kind without states. */
export const stateField = ({ states }: Pick<Kind, 'states'>): string | undefined => states[0]?.field

/** The state machine that a field goes through; none where it is no state. */
export const machineOf = ({ states }: Pick<Kind, 'states'>, field: string): StateMachine | undefined =>
  states.find((machine) => machine.field === field)

/** The state machine of which one state says that a record is archived; none where `archivedAt` alone does. */
export const archivingMachine = ({ states }: Pick<Kind, 'states'>) =>
  states.find((machine): machine is StateMachine & Required<Pick<StateMachine, 'archived'>> =>
    Boolean(machine.archived),
  )

/** Whether nothing is left to do with a record. */
export const isTerminal = ({ terminal }: Pick<Kind, 'terminal'>, record: Values): boolean =>
  terminal?.values.includes(String(record[terminal.field])) ?? false

/** "a risk", "an asset", "evidence". */
export const withArticle = ({ one, article }: Noun): string =>
  article === 'none' ? one : `${article ?? 'a'} ${one}`

/** "one risk", "evidence". */
export const single = ({ one, article }: Noun): string => (article === 'none' ? one : `one ${one}`)
