import { isForPersons, type Needs } from './needs.ts'

/*
 * Who may do what with the records of a kind. A kind says it as values (needs.ts), and whoever asks, the service, the
 * documents or the web app, asks here.
 */

/**
 * `read` is a list of them, one, its history and what left for it; `link` makes and ends its links; `archive` puts one
 * away and brings it back.
 */
export type Verb = 'read' | 'create' | 'update' | 'delete' | 'link' | 'archive'

/**
 * What a kind has no needs for, nobody does. Where it is not said, who may change a record may link it, and who may delete
 * one may archive it.
 */
export interface Access extends Readonly<Partial<Record<Verb, Needs>>> {
  readonly read: Needs
}

type Accessible = { readonly access: Access }

/** What somebody needs to do that with records of the kind; none where it is not to be done at all. */
export const needsOf = ({ access }: Accessible, verb: Verb): Needs | undefined =>
  access[verb] ?? (verb in ASSUMED ? access[ASSUMED[verb as keyof typeof ASSUMED]] : undefined)

const ASSUMED = { link: 'update', archive: 'delete' } as const satisfies Partial<Record<Verb, Verb>>

/** What somebody needs to read records of the kind. */
export const needsToRead = ({ access }: Accessible): Needs => access.read

/**
 * Who may change which fields. Whoever has what an entry needs may change what it names; a field that nobody's entry
 * names, nobody changes.
 */
export type WritableBy<Field extends string = string> = readonly {
  readonly fields: readonly Field[] | 'all'
  readonly needs: Needs
}[]

type Writable = { readonly writableBy?: WritableBy }

/**
 * The fields that somebody may change who may change a record at all.
 * @param isAllowed whether they have what an entry needs
 * @returns null: all of them
 */
export function writableFields(
  { writableBy }: Writable,
  isAllowed: (needs: Needs) => boolean,
): readonly string[] | null {
  const granted = writableBy?.filter(({ needs }) => isAllowed(needs)).map(({ fields }) => fields)
  if (!granted || granted.includes('all')) return null
  return [...new Set(granted.flat())]
}

/** The fields that a program may change, whatever it carries. @returns null: all of them */
export const fieldsForPrograms = (kind: Writable): readonly string[] | null =>
  writableFields(kind, (needs) => !isForPersons(needs))
