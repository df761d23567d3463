import { capital } from '../../model/capital.ts'
import { spelled } from '../../model/described-field.ts'
import type { DescribedKind } from '../../model/described-kind.ts'
import { machineOf } from '../../model/roles.ts'
import { type AuditOutcome, auditActions as words } from '../copy/audit-actions.ts'
import { lower, valueWord } from '../copy/records.ts'
import { actOf } from './act-of.ts'
import { type Changes, fieldOf, kindOf, subjectWord, titleOfField, verbOf } from './journal.ts'
import { described, kindOfId } from './kinds.ts'
import { type LinkPart, partsMoved } from './link-told.ts'

/*
 * An entry of the audit log as a sentence of names and text between them; components/audit-sentence.tsx draws it. The
 * words are those of copy/audit-actions.ts, for the audit log and for whoever else tells of it. Of a record the kind was
 * fetched before: what its fields are called is read there.
 */

export interface AuditEvent {
  readonly action: string
  readonly outcome: AuditOutcome
  readonly reason: string | null
  readonly actor: { readonly type: string; readonly id: string; readonly displayName: string }
  readonly subject: AuditSubject
  readonly changes: Changes | null
}

/** What an entry is about: a record, a member, a key, an endpoint … */
export interface AuditSubject {
  readonly type: string
  readonly id: string
  readonly reference?: string | undefined
  readonly title?: string | undefined
}

export interface SentencePart {
  readonly text: string
  /** Set where the text is a name. */
  readonly names?: 'actor' | 'subject'
  /** Whose name it is, where that has one. */
  readonly subject?: AuditSubject
}

/** @returns the parts in the order they are read */
export function auditSentence(event: AuditEvent): SentencePart[] {
  const other = linkedIn(event)
  const parts = templateOf(event, other)
    .split(/(\{\w+\})/)
    .filter(Boolean)
    .map((part) => partOf(part, event, other))
  const [first, ...rest] = parts
  if (!first) return []
  // Names stay as they are; words before a name begin the sentence.
  return [first.isName ? first : { ...first, text: capital(first.text) }, ...rest]
}

/** The same as one text, for what has no place for links. */
export const auditSentenceText = (event: AuditEvent): string =>
  auditSentence(event)
    .map(({ text }) => text)
    .join('')

/** Who did it, at the head of a sentence: what is no person by what it is, too. */
export const actorTold = ({ type, displayName }: AuditEvent['actor']): string =>
  words.actors[type]?.(displayName) ?? displayName

function partOf(part: string, { actor, subject }: AuditEvent, other: AuditSubject | null) {
  if (part === '{actor}') {
    const text = actorTold(actor)
    return { text, names: 'actor' as const, isName: text === actor.displayName }
  }
  const named = part === '{subject}' ? subject : part === '{other}' ? other : null
  if (!named) return { text: part, isName: false }
  const name = nameOfSubject(named)
  return { text: name ?? unnamed(named), names: 'subject' as const, subject: named, isName: name !== null }
}

/**
 * A record by its reference and its title, once where they are the same; anything else by its name; null where the log has
 * neither.
 */
export const nameOfSubject = ({ reference, title }: AuditSubject): string | null =>
  [reference === title ? null : reference, title].filter(Boolean).join(' ') || null

const unnamed = ({ type }: AuditSubject): string => words.unnamed[type] ?? subjectWord(type).toLowerCase()

/** The page of what an entry is about; of what has no page of its own the list that it stands in. */
export function pathOfSubject({ type, id, reference }: AuditSubject): string | null {
  const kind = kindOf(type)
  // A deleted record has a page, too: it tells of its end.
  if (kind) return reference ? `/${kind.page}/${id}` : null
  return PATHS[type]?.(id) ?? null
}

/** Where somebody stands who did something. */
export const pathOfActor = ({ type, id }: { type: string; id: string }): string | null =>
  PATHS[ACTORS[type] ?? '']?.(id) ?? null

/** What an actor is as the subject of an entry. */
const ACTORS: Readonly<Record<string, string>> = {
  user: 'user',
  api_key: 'api_key',
  oauth_client: 'connected_app',
}

const PATHS: Readonly<Record<string, (id: string) => string>> = {
  api_key: () => '/settings/api-keys',
  connected_app: () => '/settings/connected-apps',
  custom_field: () => '/settings/custom-fields',
  organization: () => '/settings/organization',
  sign_in_provider: () => '/settings/sign-in',
  user: () => '/settings/members',
  webhook_delivery: (id) => `/settings/deliveries/${id}`,
  webhook_endpoint: (id) => `/settings/webhooks/${id}`,
}

function templateOf(event: AuditEvent, linked: AuditSubject | null): string {
  const { action, outcome, reason, subject, changes } = event
  if (outcome === 'denied' && !action.includes('.'))
    return words.refused(spelled(action), reason, subject.type !== 'operation')
  if (action === 'session.begin' && subject.type === 'sign_in_provider') return words.signInByProvider
  const kind = kindOf(subject.type)
  // What is said or asked about a record, as a comment is, changes nothing of it.
  const aside = kind && words.other(action, outcome)
  if (aside) return aside
  const verb = verbOf(action)
  if (verb === 'update' && outcome === 'success') {
    const told = updateOf(subject.type, changes ?? {})
    if (told) return told
  }
  if (!kind && nameOfSubject(subject) === null && words.unnamedActions[action])
    return words.unnamedActions[action]
  if (!kind) return words.other(action, outcome) ?? words.unknown(action)
  if (/^(un)?link$/.test(verb) && !linked) return words.linksOf
  const moved = verb === 'link' ? partsMoved(subject.type, changes) : null
  if (moved) return saidOfLink(moved)
  return words.ofRecord(verb) ?? words.unknown(action)
}

/** With which record a link was made, changed or ended. */
function linkedIn({ action, changes }: AuditEvent): AuditSubject | null {
  if (!/\.(link|unlink)$/.test(action)) return null
  const [[word, { from, to }] = ['', { from: null, to: null }]] = Object.entries(changes ?? {})
  const told = (to ?? from) as AuditSubject | null
  if (told === null) return null
  // The word says what it is to the other, which need not be its kind.
  const type = kindOfId(told.id)?.name ?? word
  return { type, id: told.id, reference: told.reference, title: told.title }
}

/** What a link says otherwise now: of one choice, from which to which. */
function saidOfLink(moved: readonly LinkPart[]): string {
  const [first, ...rest] = moved
  if (!first) return words.linksOf
  const titles = moved.map(({ field }) => inSentence(field.title))
  const isChoice = rest.length === 0 && first.field.form === 'choice'
  const ends = isChoice ? [first.from, first.to].map((one) => lower(valueWord(String(one)))) : []
  return words.linkSays(titles, ends)
}

/** At most so many fields are named. */
const NAMED = 3

function knownKind(type: string): DescribedKind | undefined {
  const entry = kindOf(type)
  return entry && described(entry)
}

function updateOf(type: string, changes: Changes): string | null {
  const kind = knownKind(type)
  const act = kind && actOf(kind, changes)
  if (act) return words.acted(act.verb, fieldText(type, act.field), valueWord(act.state))
  if (type === 'webhook_endpoint' && changes.enabled) {
    if (changes.disabledReason?.to === 'failures') return words.turnedOffByFailures
    return changes.enabled.to ? words.turnedOn : words.turnedOff
  }
  const [first, ...rest] = fieldsOfSentence(type, changes)
  if (first === undefined) return null
  if (rest.length === 0) {
    const { to } = changes[first]!
    if (isNothing(to)) return words.cleared(fieldText(type, first))
    return words.changed([fieldText(type, first)], 0, valueText(type, first, to))
  }
  const named = [first, ...rest].slice(0, NAMED).map((name) => fieldText(type, name))
  return words.changed(named, Math.max(0, rest.length + 1 - NAMED), null)
}

/** What somebody changed: not what follows from it, and the state before the rest. */
function fieldsOfSentence(type: string, changes: Changes): string[] {
  const kind = knownKind(type)
  const names = Object.keys(changes)
  const chosen = names.filter((name) => !kind || !(name in kind.derived || name in kind.rollups))
  const isState = (name: string) => (kind && machineOf(kind, name) ? 1 : 0)
  return (chosen.length > 0 ? chosen : names).sort((one, two) => isState(two) - isState(one))
}

/** A value that can be said within a sentence; null for one that takes more. */
function valueText(type: string, name: string, value: unknown): string | null {
  const field = fieldOf(type, name)
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return null
  if (field?.form === 'choice' || (!field && CHOSEN.has(name))) return valueWord(value)
  return field?.form === 'line' && value.length <= SHORT ? words.quoted(value) : null
}

const SHORT = 60
/** Fields of members, whose values are words of the service. */
const CHOSEN: ReadonlySet<string> = new Set(['role', 'status'])

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** What a field is called within a sentence. The title of a date is often no noun: "Due", "Acceptance expires". */
function fieldText(type: string, name: string): string {
  const title = titleOfField(type, name)
  const form = fieldOf(type, name)?.form
  if (form !== 'day' && form !== 'instant') return inSentence(title)
  return name.endsWith('Date') ? inSentence(spelled(name)) : words.date(title)
}

/** "Risk level" as "risk level"; "SLA" stays. */
const inSentence = (title: string): string =>
  /^.[A-Z]/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1)
