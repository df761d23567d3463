import { useLocation, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Input } from '../../../client/calls.ts'

/** Of the input of the call those that take one of several values. */
export const NAMES = [
  'outcome',
  'channel',
  'actingUserId',
  'action',
  'actorId',
  'subjectType',
  'subjectId',
  'requestId',
] as const

export type FilterName = (typeof NAMES)[number]
export type SpanName = 'span' | 'from' | 'to'
export type Filter = Partial<Record<FilterName | SpanName, string>>
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
  const known = [...NAMES, 'span', 'from', 'to'].filter((name) => search[name] !== undefined)
  return Object.fromEntries(known.map((name) => [name, String(search[name])]))
}

/** Several values of one filter stand in the address with commas between. */
function inputOf({ span, from, to, ...wanted }: Filter): AuditInput {
  const lists = Object.entries(wanted).map(([name, value]) => [name, value.split(',')])
  const since = span ? startOf(span) : from
  return { ...Object.fromEntries(lists), ...(since ? { from: since } : {}), ...(to ? { to } : {}) }
}

/** Once for as long as it is shown: the pages of a list are of one question. */
function startOf(span: string): string | undefined {
  const [, count, unit] = /^(\d{1,4})([hd])$/.exec(span) ?? []
  return count && unit
    ? new Date(Date.now() - Number(count) * MINUTES[unit]! * 60_000).toISOString()
    : undefined
}
