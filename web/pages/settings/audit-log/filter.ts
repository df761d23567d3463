import { useLocation, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { AUDIT_GROUPS } from '../../../client/audit-groups.ts'
import type { Input } from '../../../client/calls.ts'
import { auditLog } from '../../../copy/audit-log.ts'
import { outcomes } from '../../../copy/outcomes.ts'

/** Of the input of the call those that take one of several values. */
export const NAMES = [
  'outcome',
  'channel',
  'actingUserId',
  'actorId',
  'reference',
  'action',
  'subjectType',
  'subjectId',
  'requestId',
  'id',
] as const

export type FilterName = (typeof NAMES)[number]
/** What the page has beside them: it asks for them in other words. */
export type PageFilterName = 'span' | 'from' | 'to' | 'group'
export type Filter = Partial<Record<FilterName | PageFilterName, string>>
export type AuditInput = Omit<Input<'listAuditLog'>, 'cursor'>

const MINUTES: Readonly<Record<string, number>> = { h: 60, d: 1_440 }

/** The filter as the address has it, what it asks the service for, and a way to change it. */
export function useFilter() {
  const search = useLocation({ select: ({ search }) => JSON.stringify(search) })
  const navigate = useNavigate()
  const filter = useMemo(() => filterIn(JSON.parse(search)), [search])
  const input = useMemo(() => inputOf(filter), [filter])
  const change = (changed: Filter) => {
    const next = Object.entries({ ...filter, ...changed }).filter(([, value]) => value)
    void navigate({ to: '.', search: Object.fromEntries(next) as never, resetScroll: false })
  }
  return { filter, input, change, clear: () => void navigate({ to: '.', search: {} as never }) }
}

function filterIn(search: Record<string, unknown>): Filter {
  const known = [...NAMES, 'span', 'from', 'to', 'group'].filter((name) => search[name] !== undefined)
  const filter: Filter = Object.fromEntries(known.map((name) => [name, String(search[name])]))
  return filter.outcome ? { ...filter, outcome: filter.outcome.split(',').map(outcomeOf).join(',') } : filter
}

/** An outcome may be called by its word: that is what somebody types who has only seen the page. */
function outcomeOf(typed: string): string {
  const wanted = typed.trim().toLowerCase()
  return Object.entries(outcomes).find(([, word]) => word.toLowerCase() === wanted)?.[0] ?? wanted
}

/** Values that none of the choices has: with these nothing is asked for. */
export function unknownIn({ outcome, group, span }: Filter): string[] {
  return [
    ...(outcome?.split(',').filter((one) => !(one in outcomes)) ?? []),
    ...(group && !(group in AUDIT_GROUPS) ? [group] : []),
    ...(span && !(span in auditLog.filters.spans) ? [span] : []),
  ]
}

/** Several values of one filter stand in the address with commas between. */
function inputOf({ span, from, to, group, action, ...wanted }: Filter): AuditInput {
  const actions = action?.split(',') ?? AUDIT_GROUPS[group as keyof typeof AUDIT_GROUPS]
  const lists = Object.entries(wanted).map(([name, value]) => [name, value.split(',')])
  const since = span ? startOf(span) : from
  return {
    ...Object.fromEntries(lists),
    ...(actions ? { action: [...actions] } : {}),
    ...(since ? { from: since } : {}),
    ...(to ? { to } : {}),
  }
}

/** Once for as long as it is shown: the pages of a list are of one question. */
function startOf(span: string): string | undefined {
  const [, count, unit] = /^(\d{1,4})([hd])$/.exec(span) ?? []
  return count && unit
    ? new Date(Date.now() - Number(count) * MINUTES[unit]! * 60_000).toISOString()
    : undefined
}
