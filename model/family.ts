import type { Kind, Under } from './kind.ts'
import { everyKind } from './kinds/index.ts'

/*
 * Kinds whose records belong to one of another kind, their parent: made and listed beneath it, read and changed at a
 * path of their own.
 */

export type Child = Kind & { readonly under: Under }

export const isChild = (kind: Kind): kind is Child => kind.under !== undefined

/** The kind that a kind is under. */
export const parentKind = ({ under }: Child): Kind => everyKind.find(({ name }) => name === under.kind)!

/** The kinds that are under one. */
export const childKinds = ({ name }: Pick<Kind, 'name'>): readonly Child[] =>
  everyKind.filter(isChild).filter(({ under }) => under.kind === name)

/** The kind whose ids begin so. */
export const kindOfPrefix = (prefix: unknown): Kind | undefined =>
  everyKind.find(({ idPrefix }) => idPrefix === prefix)

/** Where records of a kind are: all, one, and those beneath one parent, which is where they are made. */
export function pathsOf(kind: Kind): { all: string; one: string; made: string } {
  const all = `/v1/${kind.path}`
  const beneath = isChild(kind)
    ? `/v1/${parentKind(kind).path}/{${kind.under.field}}/${kind.under.path}`
    : all
  return { all, one: `${all}/{id}`, made: beneath }
}

/** The kind whose records are made, listed, read or changed at a path of the API; none where it is about none. */
export const kindAtPath = (path: string): Kind | undefined =>
  everyKind.find((kind) => isChild(kind) && isAtOrBelow(path, pathsOf(kind).made)) ??
  everyKind.find((kind) => isAtOrBelow(path, pathsOf(kind).all))

const isAtOrBelow = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`)
