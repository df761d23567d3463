import { z } from 'zod'
import type { Access, WritableBy } from './access.ts'
import { capital } from './capital.ts'
import { CUSTOM_BYTES_AT_MOST, CUSTOM_FIELDS_AT_MOST } from './custom-fields.ts'
import type { Fact } from './fact.ts'
import { choice, comparedWords, instant, isPrincipal, type Shape, texts, whole } from './fields.ts'
import { type KindRules, rulesOf } from './kind-rules.ts'
import type { Module } from './modules.ts'
import type { Noun } from './noun.ts'
import { once } from './once.ts'
import type { Relation } from './relation.ts'
import type { ByMatrix } from './risk-matrix.ts'
import type { InStates, StateMachine } from './states.ts'

export type { Shape } from './fields.ts'
export type { Noun } from './noun.ts'

/**
 * A kind: a thing an organization keeps. Pure data, with at most two pure functions and no I/O, so that
 * server, web app and tests can all read it. Its operations, signals, forms, filters and columns are
 * readings of what stands here.
 *
 * Where generic ends: a kind may name `facts`, read under the record's lock and handed to its functions, and records
 * that belong to another may go with it; whatever else writes a second record, or touches the clock or the network, is an operation written by hand.
 */
export interface Kind<
  Name extends string = string,
  Fields extends Shape = Shape,
  Required extends keyof Fields & string = keyof Fields & string,
> extends KindRules {
  /** snake_case; the `subject.type` of its signals. */
  readonly name: Name
  readonly plural: string
  /** What one is in a sentence, and what many are. */
  readonly noun: Noun
  /** What it is as a title; as in a sentence, where absent. */
  readonly title: string
  /** What it is, where others could be taken for it. */
  readonly about?: string
  readonly idPrefix: string
  /** Before the number that people call a record by, as in RSK-12; null where `referencedBy` says what they do instead. */
  readonly referencePrefix: string | null
  /** The field that people call its records by, in place of a number: their `reference`. */
  readonly referencedBy?: string
  readonly table: string
  /** Path below /v1; of several words, where the kind is one of a group. */
  readonly path: string
  /** The first word of its pages: one that nothing else of the app begins with. */
  readonly page: string
  readonly fields: Fields
  readonly required: readonly Required[]
  readonly defaults: Readonly<Partial<Record<keyof Fields & string, unknown>>>
  /** What the form for a new one begins with, where a person would begin otherwise than a program. */
  readonly begunInPerson?: Readonly<Partial<Record<keyof Fields & string, unknown>>>
  /** The field that a record is called by, wherever it is spoken of. */
  readonly named: keyof Fields & string
  /** Another one by which people look for it, where they call it by a code as well. */
  readonly coded?: keyof Fields & string
  /**
   * A name that an import composes from these fields, in their order, where a row does not give it. `titles` are those of
   * parts that a record has no field for.
   */
  readonly composed?: {
    readonly field: keyof Fields & string
    readonly parts: readonly string[]
    readonly titles: Readonly<Record<string, string>>
  }
  /** Texts whose first sentence is the name of an imported record, where its file has no column for the name. */
  readonly titledFrom?: readonly (keyof Fields & string)[]
  /** A field that follows from another one for an imported record, where its file has no column for it. */
  readonly implied?: {
    readonly field: keyof Fields & string
    readonly from: keyof Fields & string
    readonly by: Readonly<Record<string, string>>
  }
  /** The field that says since when it is there: of what is not done, lists show how old it is by now. */
  readonly agesFrom?: string
  /** Dates by which something has to be done, by name; by the nearest that counts a record is overdue, due soon or due later. */
  readonly deadlines: Readonly<Record<string, Deadline<keyof Fields & string> | FollowingDeadline>>
  /** The field that says what found a record that nobody entered: whoever names that adds what was discovered. */
  readonly discoveredBy?: keyof Fields & string
  /** Sorts of its list that have an index, in addition to those by time; with a minus, highest first. */
  readonly indexedSorts: readonly string[]
  /** All its fields that point at a principal; the first says whose a record is. */
  readonly owners: readonly (keyof Fields & string)[]
  /**
   * Of which fields no two records of an organization have the same values: by the field that is told where they
   * would.
   */
  readonly unique: Readonly<Record<string, readonly (keyof Fields & string)[]>>
  /** The same of records that are in one of these states alone. */
  readonly uniqueWhile: Readonly<
    Record<
      string,
      { readonly fields: readonly (keyof Fields & string)[]; readonly states: readonly string[] }
    >
  >
  /** What its records are called by in paths and calls: their id, and a field whose values are each one record's. */
  readonly addressedBy: readonly ['id', ...(keyof Fields & string)[]]
  /** Set by the service alone, by `derive` or by other operations. */
  readonly derived: Shape
  /**
   * Fields that follow from others until they are given a value, and again once cleared, or once that flag is given: what
   * says of each that it does.
   */
  readonly follows?: Readonly<Record<string, { readonly field: string; readonly value: string | false }>>
  /** Long texts that answers about one record have, and lists leave out. */
  readonly inFull?: readonly string[]
  /** Where it stands among the others. */
  readonly module: Module
  /** What a list of them shows first, and before all the field they are called by. */
  readonly columns: readonly string[]
  /** Its fields in groups with titles, as a form or a page shows them; the rest comes after these. */
  readonly sections: Readonly<Record<string, readonly (keyof Fields & string)[]>>
  /** What a form that adds one asks for, in this order; the rest stands behind these. */
  readonly firstFields: readonly (keyof Fields & string)[]
  /** Who may do what with its records (access.ts). */
  readonly access: Access
  /** Who may change which fields of those that may change a record; all of them all, where absent. */
  readonly writableBy?: WritableBy<keyof Fields & string>
  /** What stands as it came in while the record, or the one that it is under, is so: its rules refuse to move it. */
  readonly settled?: Settled
  /** Whether two of its records may be merged into one: the external id of the one that goes then leads to the other. */
  readonly isMergeable?: true
  /** Members who are here for themselves alone see those of its records that name them (limited-view.ts). */
  readonly isShownToOwners?: true
  /** What whoever a field names does with the record, whatever their role: the fields that they set, each by an operation. */
  readonly leftTo?: LeftTo
  /** What can be done with a record that others point at, so that it cannot be deleted. */
  readonly insteadOfDeletion?: string
  /** The operation that deletes one with more under it than goes with it at once. */
  readonly deletedWholeBy?: string
  /** The kind whose records its own belong to (family.ts). */
  readonly under?: Under<keyof Fields & string>
  /** What its rules are given beside the record (fact.ts). */
  readonly facts: Readonly<Record<string, Fact>>
  readonly signals: readonly SignalEvent[]
  /** `*.updated` is raised when one of these changed. */
  readonly watch: readonly string[]
  /** The texts that a search looks through, beside reference, external id, labels and owner: search_text has them. */
  readonly search: readonly string[]
  /** What lists are filtered by first and summaries count. Most fields are filters without it (listing.ts). */
  readonly filters: readonly string[]
  /**
   * Its state machines: each of one field, with the states that may follow each, what each asks, and in `byAction`
   * those that are nowhere to be chosen. Where one state is said of a record, it is that of the first.
   */
  readonly states: readonly StateMachine[]
  /** Fields, or parts of a field after a dot, of which none may be above one that stands behind it. */
  readonly ascending: readonly (readonly string[])[]
  /** Fields that point at a record of the same kind, and never lead round to where they began. */
  readonly acyclic: readonly (keyof Fields & string)[]
  /** Where nothing is left to do: what has come here is never overdue. */
  readonly terminal?: {
    readonly field: string
    readonly values: readonly string[]
    /** The derived field that says since when. */
    readonly at?: string
  }
  /** Pairs of choices that are counted against each other, by the name of the table they make. */
  readonly crossTabs?: Readonly<Record<string, readonly [string, string]>>
  /** What its records are linked with, by its right; what others say of it, it reads from its side (relations.ts). */
  readonly relations: readonly Relation[]
  /** Its fields that the paths of links set and clear as well, by what is at the other end (field-links.ts). */
  readonly linkFields: Readonly<Record<string, keyof Fields & string>>
  /** That its records come again. */
  readonly repeats?: Repeats<keyof Fields & string>
  /** Its files. */
  readonly uploads?: Uploads
  /** When its records wait for somebody to do something about them. */
  readonly waits: readonly Waiting[]
  /** The field that says how grave it is, from low to critical. */
  readonly level?: string
  /** How grave it is at each of its stages, in their order. One of them is that of `level`, which a kind with them has. */
  readonly ratings?: Readonly<Record<string, Rating>>
  /** What follows from the risk matrix, which a kind that says so has as its fact `matrix`. */
  readonly byMatrix?: ByMatrix
  /** Levels that follow from linked records when it is read, and are stored nowhere. */
  readonly rollups: Readonly<Record<string, Rollup>>
  /** What follows from other records when it is read, and is stored nowhere. */
  readonly readings: Readonly<Record<string, Reading>>
  /** What several readings are taken from, by name: a statement over the row `r` that gives one row, made once for all. */
  readonly lookups: Readonly<Record<string, string>>
  /**
   * Flags, derived or read, that ask somebody to see to a record where they are set, each with the states in which they
   * do; in any, where none are named. Lists mark such records, and summaries count them.
   */
  readonly attention: Readonly<Record<string, InStates>>
  /** What one may look like when it is made, for whoever reads how to. */
  readonly example?: Readonly<Record<string, unknown>>
  /** Its own rules, where it has some; `derive` and `refuse` are those with what follows from its data. */
  readonly rules?: Partial<KindRules>
}

/** Fields that nobody changes while a record, or the one above it, is of some sort. */
export interface Settled {
  readonly fields: readonly string[]
  readonly field: string
  readonly value: string
  /** Where the record that it is under says it. */
  readonly isAbove?: true
}

/**
 * Records that come again: once one has come to a state, the next is added, by whoever led it there and in the same
 * transaction, as this one was, due when its rule says (recurrence.ts).
 */
export interface Repeats<Field extends string = string> {
  /** The field with the rule. */
  readonly by: Field
  readonly deadline: Field
  readonly when: { readonly field: Field; readonly value: string }
  /** The derived flag that the next one has been made: a record that is opened again brings no other. */
  readonly made: string
  /** The derived field by which the next one names the one that it comes after. */
  readonly after: string
  /** The reading that has the id of the next one. */
  readonly next: string
  /** The state in which the next one begins. */
  readonly begins: string
}

/** The operations name the same field (`on.who`), and take what they set under its name, or a tick of one of its items. */
export interface LeftTo {
  readonly whom: string
  readonly by: Readonly<Record<string, string>>
}

/** In some states of the field, a record waits for whom another field names. */
export interface Waiting {
  readonly act: 'decide' | 'hand_in'
  readonly while: { readonly field: string; readonly values: readonly string[] }
  readonly whom: string
  /** The fields that name who asked, and is told what came of it; whoever added the record, where all are empty. */
  readonly askedBy?: readonly string[]
}

/** That records have files. */
export interface Uploads {
  /** The derived field that lists them. */
  readonly field: string
  /** The call that lists them, with what became of each. */
  readonly list: string
  /** The call that lists what of a record was kept as it was, with the files it had; and the fields that have the number and the hash of the last. */
  readonly revisions?: { readonly list: string; readonly current: string; readonly hash: string }
  /** The calls that add some and take one away. */
  readonly add: string
  readonly remove: string
  /** The call that makes a record of each file in an archive, as a job. */
  readonly takeApart?: string
  /** What a record that is made of a picture says besides. */
  readonly ofPicture?: Readonly<Record<string, unknown>>
  /** The states of a record in which neither is done, and the field that they are of. */
  readonly state: string
  readonly settled: readonly string[]
  /** What else is not changed in some states. */
  readonly settledFields?: Readonly<Record<string, readonly string[]>>
  /** Who is asked for them while a record is in some states, and until when. */
  readonly asked?: {
    readonly states: readonly string[]
    /** That in which what was handed in has come back. */
    readonly back: string
    readonly from: string
    readonly until: string
  }
}

export type SignalEvent = 'created' | 'updated' | 'deleted'

/** A date by which something has to be done, and what comes of it by time alone (deadlines.ts). */
export interface Deadline<Field extends string = string> {
  readonly field: Field
  /** So many days before it somebody is told; 0 is the day itself, -1 the end of it. 30, 7, 1, 0 and -1, where absent. */
  readonly notices?: readonly number[]
  /** The state that a record comes to when the day is over; none where it stays as it is. */
  readonly lapses?: string
  /** Who is told of that as well: fields that name somebody, and what the record is to them (“that you asked for”). */
  readonly lapseTells?: Readonly<Record<string, string>>
  /** The states in which the date counts; where absent, all but those with which nothing is left to do. */
  readonly while?: readonly string[]
  /** The field that says who is to see to it; the first owner, where absent. */
  readonly whose?: Field
  /** That a record is work for them also while it has no date. */
  readonly isWork?: true
}

/** One whose date follows from what is written, and is moved by that alone. */
export interface FollowingDeadline extends Deadline {
  readonly follows: true
}

/** Its records each belong to one of another kind: the parent. */
export interface Under<Field extends string = string> {
  /** What the parent is. */
  readonly kind: string
  /** Points at the parent; it is set when a record is made, and never changed. */
  readonly field: Field
  /** Behind the path of the parent, where they are made and listed. */
  readonly path: string
  /** What becomes of them when the parent is deleted: they go with it, they keep it, or they stay without one. */
  readonly withParent: 'delete' | 'refuse' | 'keep'
  /** What the form of a new one begins with: fields of it, by those of the parent. */
  readonly begins?: Readonly<Record<string, string>>
  /**
   * Once nothing is to be done any more under a parent, what it is offered to be changed to: its fields, by those of the
   * last record that came to this state. Nobody but a person decides it.
   */
  readonly suggests?: { readonly from: string; readonly fields: Readonly<Record<string, Field>> }
  /**
   * A field of the parent, an object with the `id` of the one record under it that stands, which the service sets. Where
   * a change of the parent ends that, the record is derived anew in the same transaction: its facts tell it why.
   */
  readonly stands?: string
}

/**
 * A level of a stage. Where `crossTabs` has a pair of choices by the same name, the level follows from the pair; else
 * it is chosen itself, or shown alone where the kind derives it.
 */
export interface Rating {
  readonly level: string
  readonly score?: string
}

/** The highest level of the linked records of a kind that are not terminal. */
export interface Rollup {
  readonly title: string
  readonly among: string
}

/**
 * An expression over the row `r` of a record, and of a lookup where it names one, which sees the rows of its organization
 * alone; or whether another reading has a value: a flag that the other is the reason for.
 */
export type Reading =
  | { readonly schema: z.core.$ZodType; readonly sql: string; readonly from?: string }
  | { readonly schema: z.core.$ZodType; readonly isSet: string }

type Described<Name extends string, Fields extends Shape, Required extends keyof Fields & string> = Omit<
  Kind<Name, Fields, Required>,
  keyof KindRules | 'rules' | Assumed
> &
  Partial<Pick<Kind<Name, Fields, Required>, Assumed>>

/** What most kinds need not say. */
type Assumed =
  | 'title'
  | 'deadlines'
  | 'indexedSorts'
  | 'owners'
  | 'states'
  | 'unique'
  | 'uniqueWhile'
  | 'derived'
  | 'defaults'
  | 'table'
  | 'path'
  | 'page'
  | 'relations'
  | 'linkFields'
  | 'rollups'
  | 'readings'
  | 'lookups'
  | 'attention'
  | 'waits'
  | 'ascending'
  | 'acyclic'
  | 'facts'
  | 'addressedBy'

/**
 * Describes a kind. Rules are chained, `kind({…}).with(rules)`: in the same literal the enumerations would widen to
 * `string`.
 */
export function kind<
  const Name extends string,
  const Fields extends Shape,
  const Required extends keyof Fields & string,
>(described: Described<Name, Fields, Required>) {
  const path = described.path ?? described.plural.replaceAll('_', '-')
  const plain: Kind<Name, Fields, Required> = {
    deadlines: {},
    indexedSorts: [],
    owners: [],
    states: [],
    unique: {},
    uniqueWhile: {},
    derived: {},
    relations: [],
    linkFields: {},
    rollups: {},
    readings: {},
    lookups: {},
    attention: {},
    waits: [],
    ascending: [],
    acyclic: [],
    facts: {},
    addressedBy: ['id'],
    defaults: {} as Kind<Name, Fields, Required>['defaults'],
    title: capital(described.noun.one),
    table: described.plural,
    path,
    page: path.split('/').at(-1)!,
    ...described,
    ...rulesOf({
      states: described.states ?? [],
      ascending: described.ascending ?? [],
      ...(described.byMatrix && { byMatrix: described.byMatrix }),
    }),
  }
  return {
    ...plain,
    with: (rules: Partial<KindRules>): Kind<Name, Fields, Required> => ({
      ...plain,
      rules,
      ...rulesOf(plain, rules),
    }),
  }
}

/** What every record has beside the fields of its kind and may be given by a caller. */
export const COMMON_FIELDS = {
  externalId: comparedWords(200)
    .meta({ title: 'External id' })
    .describe('The id of this record in the caller’s own system; unique per kind'),
  labels: texts('Labels').describe('Words of your own to sort and find by'),
  customFields: z
    .record(comparedWords(100), z.json())
    .meta({ id: 'CustomFields', title: 'Custom fields' })
    .describe(
      `What the caller keeps by names of its own. A name that the organization has defined (listCustomFields) takes values of its type. A change merges by name, null removes one; at most ${CUSTOM_FIELDS_AT_MOST} names and ${CUSTOM_BYTES_AT_MOST / 1_024} KB.`,
    ),
} as const satisfies Shape

/** Where a record came from. */
export const SOURCES = [
  'person',
  'import',
  'discovery',
  'integration',
  'api',
  'mcp',
  'ci_manifest',
  'workflow',
  'inbound_hook',
  'supplier',
] as const

export type Source = (typeof SOURCES)[number]

/** Those that a caller may say of what it adds; the others follow from the credential and the door. */
export const SOURCES_GIVEN = [
  'import',
  'discovery',
  'integration',
] as const satisfies (typeof SOURCES)[number][]

/** Who did something, and what they were called then. */
export const actor = z
  .object({ type: z.string(), id: z.string(), displayName: z.string() })
  .meta({ id: 'Actor' })

/** What the service sets on every record. */
export const SERVICE_FIELDS = {
  id: z.string().meta({ title: 'Id' }),
  reference: z.string().meta({ title: 'Reference' }).describe('The number people use, as in RSK-12'),
  source: choice('Source', SOURCES).describe('How it came here'),
  version: whole('Version', 1, 2_147_483_647).describe('Grows by one with every change; send it as If-Match'),
  archivedAt: instant('Archived').nullable(),
  createdAt: instant('Created'),
  createdBy: actor.meta({ title: 'Created by' }),
  updatedAt: instant('Updated'),
  updatedBy: actor.meta({ title: 'Updated by' }),
} as const satisfies Shape

/** The fields a caller may give, those of the kind and the common ones. */
export const givenFields = once((kind: Kind): Shape => ({ ...kind.fields, ...COMMON_FIELDS }))

/** The names of the fields that point at a user or a personnel record. */
export const principalFields = once((kind: Kind): readonly string[] =>
  Object.keys(kind.fields).filter((name) => isPrincipal(kind.fields[name]!)),
)
