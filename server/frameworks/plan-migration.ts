import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { type Side, sidesOf } from '../../model/relations.ts'
import { statement } from '../database/connect.ts'
import type { TransactionContext } from '../operation.ts'
import { linksOfMany } from '../records/link-many.ts'
import { getRecord, readRecords } from '../records/stored-record.ts'
import { invalid } from '../refusal.ts'
import type { Relationship } from './catalog.ts'
import { compareEditions } from './compare-editions.ts'
import { comparableOf } from './kept-catalog.ts'
import { ANSWER_FIELDS, carriedAnswerOf } from './migration-answers.ts'
import {
  type Correspondence,
  type Fates,
  fatesOf,
  NEW_FATES,
  OLD_FATES,
  type Standing,
} from './migration-fates.ts'
import { readStanding, type StandingRequirement } from './standing-framework.ts'

/*
 * What it would come to if the answers of one edition were taken to another: each answer's fate, and where each
 * requirement of the newer edition gets its answer from. Two requirements correspond where a mapping says so, in either
 * direction, or where they have the same key, title and text.
 */

const framework = kinds.framework as unknown as Kind
const requirement = kinds.requirement as unknown as Kind

/** By which answers have something to show: all but the mappings, which belong to the text of an edition. */
export const CARRIED_SIDES: readonly Side[] = sidesOf(requirement).filter(
  ({ other }) => other !== requirement,
)

const linkCounts = z.record(z.string(), z.int()).describe('By what is linked: control, evidence, task')

const dispute = z.object({
  field: z.enum(ANSWER_FIELDS),
  why: z
    .enum(['disagree', 'part'])
    .describe(
      'disagree: they say different things; part: it was said of something that overlaps with what is asked here, and no more',
    ),
  says: z.array(
    z.object({
      id: z.string(),
      key: z.string(),
      value: z
        .json()
        .describe('Null where nothing was said: it applies, and its result follows from its controls'),
    }),
  ),
})

const about = { id: z.string(), key: z.string(), title: z.string() }

export const migrationCounts = z
  .object({
    answers: z.int().describe('Requirements of the older edition with an answer or with links'),
    ...{ carried: z.int(), carriedToSeveral: z.int() },
    asked: z.int().describe('That go to a requirement whose answer somebody has to choose'),
    dropped: z.int().describe('To which nothing corresponds'),
    requirements: z
      .object({ carried: z.int(), merged: z.int(), asked: z.int(), new: z.int() })
      .describe(
        'Of the newer edition: those that get an answer from one, from several, by a choice, or none',
      ),
    links: linkCounts,
    left: z
      .int()
      .describe('Controls that meet a part alone: not linked, they count in part through the mapping'),
    changes: z.int().describe('Requirements of the newer edition that would change, before any choice'),
  })
  .meta({ id: 'FrameworkMigrationCounts' })

export const migrationFates = z
  .object({
    answers: z
      .array(
        z.object({
          ...about,
          fate: z.enum(OLD_FATES),
          to: z.array(z.object({ id: z.string(), key: z.string() })),
          links: linkCounts,
        }),
      )
      .describe('Of the older edition, those that were answered'),
    requirements: z
      .array(
        z.object({
          ...about,
          fate: z.enum(NEW_FATES),
          from: z.array(
            z.object({
              ...about,
              relationship: z.string().describe('Of the older requirement to this one'),
              by: z.enum(['mapping', 'same_text']),
            }),
          ),
          asks: z.array(dispute).describe('What somebody has to choose'),
          links: linkCounts.describe('That it would get'),
          left: z
            .int()
            .describe(
              'Controls that meet a part alone: they are not linked, and count in part through the mapping',
            ),
        }),
      )
      .describe('Of the newer edition, those that have an answer or may get one'),
  })
  .meta({ id: 'FrameworkMigrationFates' })

export type MigrationCounts = z.output<typeof migrationCounts>

export interface MigrationPlan {
  readonly from: EditionNamed
  readonly to: EditionNamed
  /** Of all that it says: who carries it out says by this what they have seen. */
  readonly planned: string
  readonly counts: MigrationCounts
  readonly shown: z.input<typeof migrationFates>
  readonly fates: Fates
}

export interface EditionNamed {
  readonly id: string
  readonly name: string
  readonly edition: string
}

/**
 * @throws {Refusal} `not_found` for the framework that is left; `validation_failed` for one to go to that is not here, or
 *   is the same
 */
export async function planMigration(
  context: TransactionContext,
  fromId: string,
  toId: string,
): Promise<MigrationPlan> {
  if (fromId === toId) throw invalid({ path: 'toId', message: 'is the same framework: give another edition' })
  const [from, to] = await Promise.all([
    getRecord(context, framework, fromId),
    getRecord(context, framework, toId).catch(() => {
      throw invalid({ path: 'toId', message: 'no such framework here: check the id' })
    }),
  ])
  const [older, newer, mapped] = await Promise.all([
    readEdition(context, fromId),
    readEdition(context, toId),
    context.tx.read<Correspondence>(findMapped(context.tx.organizationId, fromId, toId)),
  ])
  const pairs = [...oncePerPair(mapped), ...sameText(older, newer, mapped)]
  const fates = fatesOf(older.standing, newer.standing, pairs)
  const said = JSON.stringify([
    fromId,
    toId,
    fates.older.map(({ one, fate }) => [one.id, fate]),
    saidOf(fates),
  ])
  return {
    from: named(from),
    to: named(to),
    planned: createHash('sha256').update(said).digest('hex'),
    counts: countsOf(fates),
    ...{ shown: shownFates(fates), fates },
  }
}

/** What a plan comes to, with all that it is made from: what else is changed meanwhile is nobody's to wait for. */
const saidOf = ({ newer }: Fates): unknown =>
  newer.flatMap(({ one, from, asks, voices, links }) => {
    if (from.length === 0) return []
    const coming = voices.filter(({ id }) => id !== one.id)
    const fields = ANSWER_FIELDS.filter((field) => coming.some(({ answer }) => answer[field] !== undefined))
    const own = fields.map((field) => one.answer[field] ?? null)
    return [[one.id, from, asks, coming.map(({ id, answer }) => [id, answer]), own, links]]
  })

const named = ({ id, name, edition }: Readonly<Record<string, unknown>>): EditionNamed => ({
  id: String(id),
  name: String(name),
  edition: String(edition),
})

interface Edition {
  readonly texts: readonly StandingRequirement[]
  readonly standing: readonly Standing[]
}

async function readEdition(context: TransactionContext, frameworkId: string): Promise<Edition> {
  const texts = await readStanding(context.tx, frameworkId)
  const ids = texts.map(({ id }) => id)
  const [records, linked] = await Promise.all([
    readRecords(context, requirement, ids),
    Promise.all(CARRIED_SIDES.map((side) => linksOfMany(context, side, ids))),
  ])
  const byId = new Map(records.map((record) => [record.id, record]))
  const linksOf = CARRIED_SIDES.map((side, index) => ({
    word: side.word,
    by: Map.groupBy(linked[index]!, ({ here }) => here),
  }))
  const standing = texts.flatMap(({ id }): Standing[] => {
    const record = byId.get(id)
    if (!record || record.archivedAt !== null) return []
    const { key, title, assessable } = record as unknown as Standing
    const links = linksOf.map(({ word, by }) => [word, (by.get(id) ?? []).map(({ there }) => there)])
    return [{ id, key, title, assessable, answer: carriedAnswerOf(record), links: Object.fromEntries(links) }]
  })
  return { texts, standing }
}

/** A pair that is mapped both ways says it once: as that which says more. */
function oncePerPair(mapped: readonly Correspondence[]): readonly Correspondence[] {
  const rank = ['equal', 'equivalent', 'superset_of', 'subset_of', 'intersects', 'no_relationship']
  const pairs = new Map<string, Correspondence>()
  for (const one of mapped) {
    const pair = `${one.from} ${one.to}`
    const other = pairs.get(pair)
    if (!other || rank.indexOf(one.relationship) < rank.indexOf(other.relationship)) pairs.set(pair, one)
  }
  return [...pairs.values()]
}

/** Those of the same key, title and text, where no mapping says how they stand to each other. */
function sameText(older: Edition, newer: Edition, mapped: readonly Correspondence[]): Correspondence[] {
  const { changed } = compareEditions(older.texts.map(comparableOf), newer.texts.map(comparableOf))
  const rewritten = new Set(
    changed.flatMap(({ key, fields }) => (fields.includes('title') || fields.includes('text') ? [key] : [])),
  )
  const known = new Set(mapped.map(({ from, to }) => `${from} ${to}`))
  const before = new Map(older.texts.map(({ id, values }) => [values.key, id]))
  return newer.texts.flatMap(({ id: to, values: { key } }) => {
    const from = before.get(key)
    if (from === undefined || rewritten.has(key) || known.has(`${from} ${to}`)) return []
    return { from, to, relationship: 'equal' as const, by: 'same_text' as const }
  })
}

const lengths = (links: Readonly<Record<string, readonly unknown[]>>): Record<string, number> =>
  Object.fromEntries(Object.entries(links).map(([word, all]) => [word, all.length]))

function shownFates({ older, newer }: Fates): z.input<typeof migrationFates> {
  const keys = new Map(newer.map(({ one }) => [one.id, one.key]))
  return {
    answers: older.map(({ one: { id, key, title, links }, fate, to }) => ({
      ...{ id, key, title, fate },
      to: to.map((id) => ({ id, key: keys.get(id)! })),
      links: lengths(links),
    })),
    requirements: newer
      .filter(({ one, from }) => one.assessable || from.length > 0)
      .map(({ one: { id, key, title }, fate, from, asks, links, left }) => ({
        ...{ id, key, title, fate, left },
        from: from.map(({ from: id, key, title, relationship, by }) => ({
          id,
          key,
          title,
          relationship,
          by,
        })),
        asks: asks.map(({ field, why, says }) => ({ field, why, says: says as never })),
        links: lengths(links),
      })),
  }
}

function countsOf({ older, newer }: Fates): MigrationCounts {
  const of = <F extends string>(all: readonly { readonly fate: F }[], fate: F) =>
    all.filter((one) => one.fate === fate).length
  const asked = newer.filter(({ one, from }) => one.assessable || from.length > 0)
  const links: Record<string, number> = Object.fromEntries(CARRIED_SIDES.map(({ word }) => [word, 0]))
  for (const { links: coming } of newer)
    for (const [word, all] of Object.entries(coming)) links[word] = (links[word] ?? 0) + all.length
  return {
    answers: older.length,
    carried: of(older, 'carried'),
    carriedToSeveral: of(older, 'carried_to_several'),
    asked: of(older, 'asked'),
    dropped: of(older, 'dropped'),
    requirements: {
      carried: of(asked, 'carried'),
      merged: of(asked, 'merged'),
      asked: of(asked, 'asked'),
      new: of(asked, 'new'),
    },
    links,
    left: newer.reduce((sum, one) => sum + one.left, 0),
    changes: newer.filter((one) => bringsAnything(one)).length,
  }
}

/** Whether it would change by what nobody has to choose. */
function bringsAnything({ one, from, links, settle }: Fates['newer'][number]): boolean {
  if (from.length === 0) return false
  if (Object.values(links).some((all) => all.length > 0)) return true
  const { answer, fields } = settle(null)
  return fields.some((field) => JSON.stringify(answer[field]) !== JSON.stringify(one.answer[field]))
}

const BACKWARDS: Partial<Record<Relationship, Relationship>> = {
  subset_of: 'superset_of',
  superset_of: 'subset_of',
}

const turned = `case m.relationship ${Object.entries(BACKWARDS)
  .map(([one, other]) => `when '${one}' then '${other}'`)
  .join(' ')} else m.relationship end`

/** $2 is the older framework, $3 the newer. */
const findMapped = statement(`
  select m.mapping_source_id as "from", m.mapping_target_id as "to", m.relationship, 'mapping' as by
    from requirement_mappings m
    join requirements s on s.organization_id = m.organization_id and s.id = m.mapping_source_id
    join requirements t on t.organization_id = m.organization_id and t.id = m.mapping_target_id
   where m.organization_id = $1 and s.framework_id = $2 and t.framework_id = $3 and m.origin is distinct from 'suggested'
  union all
  select m.mapping_target_id, m.mapping_source_id, ${turned}, 'mapping'
    from requirement_mappings m
    join requirements s on s.organization_id = m.organization_id and s.id = m.mapping_source_id
    join requirements t on t.organization_id = m.organization_id and t.id = m.mapping_target_id
   where m.organization_id = $1 and s.framework_id = $3 and t.framework_id = $2 and m.origin is distinct from 'suggested'
   order by 1, 2`)
