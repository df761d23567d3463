import { pascal } from '../../../model/calls.ts'
import { SOURCES } from '../../../model/kind.ts'
import { everyKind } from '../../../model/kinds/index.ts'
import { IMPACTS, LEVELS, LIKELIHOODS, REVIEW_FREQUENCIES } from '../../../model/scales.ts'
import { SCOPES } from '../../../model/scopes.ts'
import { MEMBER_FIELDS } from '../../organization/members.ts'
import { HISTORY_OUTCOMES } from '../../records/history.ts'
import { CODES } from '../../refusal.ts'
import { DELIVERY_STATUSES } from '../../webhooks/delivery-record.ts'
import { connectionFailures, outcomes } from '../../webhooks/outcomes.ts'

/*
 * The names of choices in the document. A generator makes a type of each, so the same words have one name wherever
 * they stand, and it does not change when a field is added somewhere. A choice is known by its words: fields of many
 * kinds choose from the same scales.
 */

const NAMED: Readonly<Record<string, readonly string[]>> = {
  Likelihood: LIKELIHOODS,
  Impact: IMPACTS,
  Level: LEVELS,
  ReviewFrequency: REVIEW_FREQUENCIES,
  RecordSource: SOURCES,
  PrincipalType: ['user', 'personnel'],
  Role: MEMBER_FIELDS.role.options,
  Scope: Object.keys(SCOPES),
  WebhookDeliveryStatus: DELIVERY_STATUSES,
}

/** Choices of answers that may grow: clients take a word they do not know. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  ProblemCode: Object.keys(CODES),
  HistoryOutcome: HISTORY_OUTCOMES,
  WebhookOutcome: Object.keys(outcomes),
  ConnectionFailure: Object.keys(connectionFailures),
}

export const openChoices: ReadonlySet<string> = new Set(Object.keys(OPEN))

/** The name of a choice from these values, if it has one. */
export const choiceName = (values: readonly unknown[]): string | undefined => names.get(keyOf(values))

const keyOf = (values: readonly unknown[]) => JSON.stringify(values)

const names = new Map<string, string>()
for (const [name, values] of Object.entries({ ...NAMED, ...OPEN })) names.set(keyOf(values), name)
for (const kind of everyKind)
  for (const [field, schema] of Object.entries({ ...kind.fields, ...kind.derived })) {
    const { type, entries } = schema._zod.def as { type: string; entries?: object }
    if (type !== 'enum' || !entries) continue
    const key = keyOf(Object.values(entries))
    if (!names.has(key)) names.set(key, freeName(pascal(kind.name) + pascal(field)))
  }

/** The treatment strategy of a risk and the strategy of a risk treatment would be called the same. */
function freeName(name: string): string {
  return [...names.values()].includes(name) ? freeName(`${name}Choice`) : name
}
