import type { Field } from '../../model/described-field.ts'
import type { DescribedKind, KindEntry } from '../../model/described-kind.ts'
import { type SideOf, sidesAmong } from '../../model/sides.ts'
import { kindIndex } from '../kinds/index.ts'

/*
 * The kinds as the app knows them: an entry of each from the first, and all of those of which something was opened
 * (use-kind.ts).
 */

export { kindIndex } from '../kinds/index.ts'

export const everyKind: readonly KindEntry[] = Object.values(kindIndex)

/** The kind whose pages are at `/{page}`. */
export const kindAt = (page: string | undefined): KindEntry | undefined =>
  everyKind.find((kind) => kind.page === page)

/** The kind of the record with this id; none where it is something else’s. */
export const kindOfId = (id: string): KindEntry | undefined =>
  everyKind.find(({ idPrefix }) => id.startsWith(`${idPrefix}_`))

/** The kinds whose records are under one of this kind. */
export const childKinds = ({ name }: KindEntry): readonly KindEntry[] =>
  everyKind.filter(({ under }) => under?.kind === name)

/** The kinds whose records point at one of this kind by a field that is a link as well, each with that field. */
export const pointingKinds = ({ name }: KindEntry): readonly { kind: KindEntry; field: string }[] =>
  everyKind.flatMap((kind) => {
    const field = kind.linkFields[name]
    return field === undefined ? [] : [{ kind, field }]
  })

/** The kind whose records those of this kind are under; none where they are under no other. */
export const parentKind = ({ under }: KindEntry): KindEntry | undefined =>
  everyKind.find(({ name }) => name === under?.kind)

const known = new Map<string, DescribedKind>()

/** All of a kind where it was fetched before. */
export const described = (entry: KindEntry): DescribedKind | undefined => known.get(entry.name)

export const keepKind = (kind: DescribedKind): unknown => known.set(kind.name, kind)

export type Side = SideOf<KindEntry>

/** What records of a kind are linked with; both kinds of a side are entries, also of one that is known whole. */
export const sidesOf = (kind: KindEntry): readonly Side[] =>
  sidesAmong(everyKind, everyKind.find(({ name }) => name === kind.name) ?? kind)

/** What links on a side say beside their ends, in the order of the relation; the kind here was fetched before. */
export const saidByLinks = ({ kind, relation }: Side): readonly Field[] =>
  Object.values(described(kind)?.links[relation.name] ?? {})
