import { z } from 'zod'
import { needsOf, needsToRead } from '../../model/access.ts'
import { callsOf } from '../../model/calls.ts'
import { capital } from '../../model/capital.ts'
import type { Values } from '../../model/complaint.ts'
import { pathsOf } from '../../model/family.ts'
import { type FieldLink, fieldLinksOf } from '../../model/field-links.ts'
import { meaningsOf, optionsOf } from '../../model/fields.ts'
import type { Kind } from '../../model/kind.ts'
import { everyKind } from '../../model/kinds/index.ts'
import type { Needs } from '../../model/needs.ts'
import { type Side, sidesOf } from '../../model/relations.ts'
import { withArticle } from '../../model/roles.ts'
import { isBackOf } from '../../model/sides.ts'
import { type AnyOperation, nothing, operation } from '../operation.ts'
import { clearFieldLink, setFieldLink } from './field-link-changes.ts'
import { attributesOfAll } from './link-attributes.ts'
import { linkPage, linkSchema, listLinks } from './link-list.ts'
import { linkRecords, unlinkRecords } from './link-records.ts'
import { PAGE } from './paging.ts'
import { ID } from './schemas.ts'
import { sharedTools } from './shared-tools.ts'

/**
 * What a kind can do about its links: all list them, and the kind that says a relation makes and ends them, with
 * what it takes to link one of its records.
 */
export function linkOperationsOf(kind: Kind): AnyOperation[] {
  const ends: End[] = [...sidesOf(kind), ...fieldLinksOf(kind)]
  const ours = ends.filter(({ writes }) => writes)
  const linking = needsOf(kind, 'link')
  return [
    ...(ends.length > 0 ? [list(kind, ends, needsToRead(kind))] : []),
    ...(linking && ours.length > 0 ? [link(kind, ours, linking), unlink(kind, ours, linking)] : []),
  ]
}

/** What a record may be linked with: by a relation, or by a field that is a link as well. */
type End = Side | FieldLink

const isSide = (end: End): end is Side => 'relation' in end

const other = ID.describe('The id of the record at the other end')
const pathOf = (kind: Kind) => `${pathsOf(kind).one}/links`

/** @param seen sides that are said by the other kind: to whoever names one of those, the other way round is told */
const among = (sides: readonly End[], seen: readonly End[] = []) =>
  z
    .enum(sides.map(({ word }) => word) as [string, ...string[]], {
      error: ({ input }) => {
        const turned = seen.find(({ word }) => word === input)
        return turned && otherWayRound(turned)
      },
    })
    .meta({ title: 'Kind' })
    .describe('What the other record is')

const otherWayRound = (end: End): string => {
  const { noun, kind, other } = end
  const word = isSide(end) ? sidesOf(other).find(isBackOf(end))!.word : kind.name
  return `links with ${noun.many} are made and ended by the ${noun.one}: give its id as id, with targetKind ${word} and this one as targetId`
}

/** Of several kinds that link: the tool that they share says which of them takes what. */
const takes = (sides: readonly End[]): string[] =>
  everyKind.filter(({ relations }) => relations.length > 0).length > 1
    ? [`targetKind is ${sides.map(({ word }) => word).join(' or ')}.`]
    : []

function list(kind: Kind, sides: readonly End[], needs: Needs) {
  return operation({
    name: callsOf(kind).links,
    sharedTool: { ...sharedTools.links, kind },
    method: 'GET',
    path: pathOf(kind),
    needs,
    writes: false,
    title: `List what ${withArticle(kind.noun)} is linked with`,
    description: 'Counts are of every kind, rows of those you may read.',
    input: z.strictObject({ id: ID, ...PAGE, type: z.array(among(sides)).min(1).max(50).optional() }),
    output: linkPage,
    run: (context, input) => listLinks(context, kind, input as never),
  })
}

const target = (kind: Kind, ends: readonly End[]) => ({
  id: ID,
  targetKind: among(
    ends,
    [...sidesOf(kind), ...fieldLinksOf(kind)].filter(({ writes }) => !writes),
  ),
  targetId: other.meta({ refersTo: ends.map(({ other: { idPrefix } }) => idPrefix) }),
})

function link(kind: Kind, ends: readonly End[], needs: Needs) {
  const sides = ends.filter(isSide)
  const roles = [...meaningsTold(sides), ...ends.flatMap(fieldTold)].join(' ')
  const note = [...takes(ends), ...(roles ? [roles] : [])].join(' ')
  const [{ other, word }] = ends as [End]
  const fields = sides[0]?.relation.fields ?? {}
  const attributes = attributesOf(sides)
  const example = {
    id: `${kind.idPrefix}_01k9f8qxk2e9mbz6w0h5t4v3ra`,
    targetKind: word,
    targetId: `${other.idPrefix}_01k9f8qxk2e9mbz6w0h5t4v3ra`,
    ...Object.fromEntries(
      Object.entries(fields).flatMap(([field, schema]) => {
        const last = optionsOf(schema).at(-1)
        return last === undefined ? [] : [[field, last]]
      }),
    ),
  }
  return operation({
    name: callsOf(kind).link,
    sharedTool: { ...sharedTools.link, kind, ...(note ? { note } : {}) },
    method: 'PUT',
    path: `${pathOf(kind)}/{targetKind}/{targetId}`,
    needs,
    needsFor: (input) => needsOfRelation(sides, input),
    writes: true,
    title: `Link ${withArticle(kind.noun)} with another record`,
    description: [sharedTools.link.description, roles].filter(Boolean).join(' '),
    input: z.strictObject({ ...target(kind, ends), ...attributes }),
    output: linkSchema,
    example,
    refusals: ['link_limit_reached', ...(sides.some(isAcyclic) ? (['cycle'] as const) : [])],
    annotations: { idempotent: true },
    run: (context, input) => {
      const end = ends.find(({ word }) => word === input.targetKind)!
      return (
        isSide(end) ? linkRecords(context, kind, input as never) : setFieldLink(context, end, input as never)
      ) as never
    },
  })
}

/** What a relation asks for besides the right of its kind. */
const needsOfRelation = (sides: readonly Side[], { targetKind }: Values): Needs[] => {
  const needs = sides.find(({ word }) => word === targetKind)?.relation.needs
  return needs ? [needs] : []
}

const isAcyclic = ({ relation }: Side): boolean => relation.isAcyclic

/** What links from here may say beside their ends. */
const attributesOf = (sides: readonly Side[]): Record<string, z.ZodType> =>
  attributesOfAll(
    sides.map(({ relation }) => relation),
    ({ defaults }, name, schema) => (name in defaults ? schema : schema.nullable()),
  )

/** What the choices of attributes mean; of those that several relations say alike, once. */
function meaningsTold(sides: readonly Side[]): string[] {
  const all = sides.flatMap(({ noun, relation: { fields } }) =>
    Object.entries(fields).map(([name, schema]) => ({ name, schema, noun })),
  )
  return [...Map.groupBy(all, ({ schema }) => schema)].flatMap(([schema, [first, ...others]]) => {
    const told = Object.entries(meaningsOf(schema) ?? {}).map(([one, means]) => `\`${one}\` (${means})`)
    const subject = others.length > 0 ? first!.name : withArticle(first!.noun)
    return told.length > 0 ? [`${capital(subject)} is ${told.join(' or ')}; the first, if not told.`] : []
  })
}

/** What linking by a field is, other than by a relation. */
const fieldTold = (end: End): string[] =>
  isSide(end)
    ? []
    : [
        `${capital(withArticle(end.noun))} is set as ${end.field}, as a change of the ${end.kind.noun.one} sets it: with a new version and its signal, in place of another.`,
      ]

function unlink(kind: Kind, ends: readonly End[], needs: Needs) {
  const sides = ends.filter(isSide)
  const note = takes(ends).join(' ')
  return operation({
    name: callsOf(kind).unlink,
    sharedTool: { ...sharedTools.unlink, kind, ...(note ? { note } : {}) },
    method: 'DELETE',
    path: `${pathOf(kind)}/{targetKind}/{targetId}`,
    needs,
    needsFor: (input) => needsOfRelation(sides, input),
    writes: true,
    title: `End the link of ${withArticle(kind.noun)} with another record`,
    input: z.strictObject(target(kind, ends)),
    output: nothing,
    annotations: { destructive: true, idempotent: true },
    run: async (context, input) => {
      const end = ends.find(({ word }) => word === input.targetKind)!
      await (isSide(end)
        ? unlinkRecords(context, kind, input as never)
        : clearFieldLink(context, end, input as never))
      return null
    },
  })
}
