import { isDeepStrictEqual } from 'node:util'
import type { Values } from '../../model/complaint.ts'
import { kinds } from '../../model/kinds/index.ts'

/*
 * What somebody answered to a requirement, as it goes from one edition to the next: what differs from an answer that
 * nobody has given. A result that follows from controls is none; it follows there again.
 */

export interface Answer {
  readonly applicability?: string
  readonly justification?: string
  readonly inclusionReasons?: readonly string[]
  /** Where it is pinned. */
  readonly result?: string
  readonly resultReason?: string
  readonly maturity?: number
  readonly score?: number
  readonly owner?: { readonly type: string; readonly refId: string }
  readonly note?: string
  readonly assessedAt?: string
  readonly labels?: readonly string[]
  readonly customFields?: Readonly<Record<string, unknown>>
}

export type AnswerField = keyof Answer

export const ANSWER_FIELDS = [
  'applicability',
  'justification',
  'inclusionReasons',
  'result',
  'resultReason',
  'maturity',
  'score',
  'owner',
  'note',
  'assessedAt',
  'labels',
  'customFields',
] as const satisfies readonly AnswerField[]

const { defaults, fields } = kinds.requirement

/** What a requirement says that somebody said. */
export function answerOf(record: Values): Answer {
  const owner = record.owner as { type: string; refId: string } | null
  const said: Partial<Record<AnswerField, unknown>> = {
    ...record,
    owner: owner && { type: owner.type, refId: owner.refId },
    ...(record.resultPinned === true ? {} : { result: null, resultReason: null }),
  }
  const given = ANSWER_FIELDS.filter((field) => !isEmpty(said[field]) && !isAssumed(field, said[field]))
  return Object.fromEntries(given.map((field) => [field, said[field]]))
}

/** The same as it goes elsewhere: an owner who is not active any more stays behind, as nothing is given to them. */
export function carriedAnswerOf(record: Values): Answer {
  const { owner, ...rest } = answerOf(record)
  return owner && (record.owner as { active: boolean }).active ? { ...rest, owner } : rest
}

// A result that is pinned is one that somebody gave, whichever it is.
const isAssumed = (field: AnswerField, value: unknown): boolean =>
  field === 'applicability' && value === defaults.applicability

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/**
 * The values by which a requirement comes to have an answer.
 * @param answer of these fields; one that it does not say becomes what it is of a requirement that nobody answered
 */
export function valuesOf(answer: Answer, these: readonly AnswerField[] = ANSWER_FIELDS): Values {
  const values: Record<string, unknown> = {}
  for (const field of these) {
    if (field === 'result') {
      values.resultPinned = answer.result !== undefined
      if (answer.result !== undefined) values.result = answer.result
    } else values[field] = answer[field] ?? (field === 'applicability' ? defaults.applicability : null)
  }
  return values
}

/** One that has a say in what an answer comes to. */
export interface Voice {
  readonly id: string
  readonly key: string
  readonly answer: Answer
}

/** What several say of one field, where somebody has to choose. */
export interface Dispute {
  readonly field: AnswerField
  /** Whether they say different things, or one says it of a part of what is asked. */
  readonly why: 'disagree' | 'part'
  /** Null of one that says nothing, and in whose case it is assumed or follows. */
  readonly says: readonly { readonly id: string; readonly key: string; readonly value: unknown }[]
}

/** Of which there is one: two that say different things leave it to somebody to choose. */
const DECIDED = ['applicability', 'result', 'maturity', 'score', 'owner'] as const
/** That say something even where nobody gave them: it applies, and its result follows. */
const ALWAYS_SAID: readonly AnswerField[] = ['applicability', 'result']
const TEXTS = ['justification', 'resultReason', 'note'] as const
const SETS = ['inclusionReasons', 'labels'] as const

/** The reason stands with what it is given for. */
const REASON_OF: Readonly<Partial<Record<AnswerField, AnswerField>>> = {
  applicability: 'justification',
  result: 'resultReason',
}

/**
 * What several answers come to together, and of which fields they leave it to somebody.
 * @param own what is answered there already, where anything is
 * @param others what comes, in order; also of those that nobody answered, which is an answer as well
 * @param isPart whether none of them asks for all that is asked here
 */
export function combine(
  own: Voice | null,
  others: readonly Voice[],
  isPart: boolean,
): { answer: Answer; disputes: readonly Dispute[] } {
  const disputes = new Map<AnswerField, Dispute>()
  const answer: Partial<Record<AnswerField, unknown>> = {}
  const all = own ? [own, ...others] : others
  const dispute = (field: AnswerField, why: Dispute['why'], voices: readonly Voice[]) =>
    disputes.set(field, {
      ...{ field, why },
      says: voices.map(({ id, key, answer }) => ({ id, key, value: answer[field] ?? null })),
    })

  for (const field of DECIDED) {
    const saying = all.filter((one) => one.answer[field] !== undefined)
    if (saying.length === 0) continue
    const isAssumedElse = ALWAYS_SAID.includes(field) && own?.answer[field] === undefined
    const heard = isAssumedElse ? [...saying, ...others] : saying
    const isSame = heard.every((one) => isDeepStrictEqual(one.answer[field], saying[0]!.answer[field]))
    if (!isSame) dispute(field, 'disagree', [...new Set([...(own ? [own] : []), ...heard])])
    else if (isPart && isAssumedElse) dispute(field, 'part', saying)
    else answer[field] = saying[0]!.answer[field]
  }
  for (const field of TEXTS) {
    const decided = (Object.keys(REASON_OF) as AnswerField[]).find((one) => REASON_OF[one] === field)
    if (decided && disputes.has(decided)) continue
    const saying = all.filter((one) => one.answer[field] !== undefined)
    if (saying.length === 0) continue
    const together = joined(field, own, saying)
    if (fields[field].safeParse(together).success) answer[field] = together
    else dispute(field, 'disagree', saying)
  }
  for (const field of SETS) {
    const values = [...new Set(all.flatMap((one) => one.answer[field] ?? []))]
    if (values.length > 0) answer[field] = values
  }
  const looked = all.flatMap((one) => one.answer.assessedAt ?? []).toSorted()
  if (looked.length > 0) answer.assessedAt = own?.answer.assessedAt ?? looked[0]
  const { agreed, disputed } = customFieldsOf(all)
  if (disputed.length > 0)
    dispute(
      'customFields',
      'disagree',
      all.filter((one) => one.answer.customFields),
    )
  const stands = named(own?.answer.customFields, disputed)
  const custom = { ...agreed, ...stands }
  if (Object.keys(custom).length > 0) answer.customFields = custom
  return { answer: answer as Answer, disputes: [...disputes.values()] }
}

/** Custom fields by name: what all say that say anything, and the names of which they say different things. */
function customFieldsOf(all: readonly Voice[]): { agreed: object; disputed: readonly string[] } {
  const said = new Map<string, unknown[]>()
  for (const { answer } of all)
    for (const [name, value] of Object.entries(answer.customFields ?? {}))
      said.set(name, [...(said.get(name) ?? []), value])
  const isDisputed = (values: readonly unknown[]) => values.some((one) => !isDeepStrictEqual(one, values[0]))
  const [disputed, agreed] = [true, false].map((is) =>
    [...said].filter(([, values]) => isDisputed(values) === is),
  )
  return {
    agreed: Object.fromEntries(agreed!.map(([name, [value]]) => [name, value])),
    disputed: disputed!.map(([name]) => name),
  }
}

const named = (custom: Answer['customFields'], names: readonly string[]): object =>
  Object.fromEntries(Object.entries(custom ?? {}).filter(([name]) => names.includes(name)))

/** What each says, once, by whom; what stands there already is not said again. */
function joined(field: (typeof TEXTS)[number], own: Voice | null, saying: readonly Voice[]): string {
  const stands = own?.answer[field]
  const others = saying.filter((one) => one !== own && !stands?.includes(one.answer[field]!))
  const texts = new Set(others.map((one) => one.answer[field]!))
  if (texts.size + (stands === undefined ? 0 : 1) <= 1) return stands ?? [...texts][0]!
  const told = [...texts].map((text) => {
    const by = others.filter((one) => one.answer[field] === text)
    return `${by.map(({ key }) => key).join(', ')}: ${text}`
  })
  return [...(stands === undefined ? [] : [stands]), ...told].join('\n\n')
}

/** What it comes to once somebody has chosen one whose word counts where they dispute; null leaves that as it is there. */
export function settled(
  { answer, disputes }: ReturnType<typeof combine>,
  chosen: Voice | null,
): { answer: Answer; fields: readonly AnswerField[] } {
  const disputed = disputes
    .filter(({ field }) => field !== 'customFields')
    .flatMap(({ field }) => [field, ...(REASON_OF[field] ? [REASON_OF[field]] : [])])
  const agreed = ANSWER_FIELDS.filter((field) => answer[field] !== undefined && !disputed.includes(field))
  const said: Answer = Object.fromEntries(agreed.map((field) => [field, answer[field]]))
  if (!chosen) return { answer: said, fields: agreed }
  const theirs = Object.fromEntries(disputed.map((field) => [field, chosen.answer[field]]))
  // Of custom fields each has a name of its own: what nobody disputes stays, whoever is chosen.
  const custom = { ...said.customFields, ...chosen.answer.customFields }
  const isNamed = disputes.some(({ field }) => field === 'customFields')
  return {
    answer: { ...said, ...theirs, ...(isNamed && { customFields: custom }) },
    fields: ANSWER_FIELDS.filter(
      (field) => agreed.includes(field) || disputed.includes(field) || (isNamed && field === 'customFields'),
    ),
  }
}
