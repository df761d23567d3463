import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Input } from '../../../client/calls.ts'
import { deliveries } from '../../../copy/deliveries.ts'

/*
 * What of the log is shown stands in the address, and nowhere else: several values of a filter with commas
 * between them, so that one can read it and send it to somebody.
 */

export const LISTS = ['endpoint', 'status', 'type'] as const
export type ListFilter = (typeof LISTS)[number]
type Text = ListFilter | 'time' | 'after' | 'before'

/** As the address has it. */
export type View = { [Name in Text]?: string | undefined }

type Filters = Omit<Input<'listWebhookDeliveries'>, 'limit' | 'cursor'>
type Status = NonNullable<Filters['status']>[number]

const HOURS = { '1h': 1, '24h': 24, '7d': 24 * 7, '30d': 24 * 30 } as const
export const TIMES = Object.keys(HOURS) as (keyof typeof HOURS)[]
const STATUSES = Object.keys(deliveries.statuses) as Status[]

export function useView(): { view: View; change: (change: View) => void; clear: () => void } {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const view = readView(search)
  const show = (next: View) => void navigate({ to: '/settings/deliveries', search: next, replace: true })
  return { view, change: (change) => show(readView({ ...view, ...change })), clear: () => show({}) }
}

/** What is not a filter, or empty, is left out. */
function readView(search: Record<string, unknown>): View {
  const texts = [...LISTS, 'time', 'after', 'before'].map((name) => [name, search[name]])
  return Object.fromEntries(texts.filter(([, value]) => typeof value === 'string' && value !== '')) as View
}

export const valuesOf = (view: View, name: ListFilter): string[] =>
  (view[name] ?? '').split(',').filter((value) => value !== '')

/** What the service is asked for; times near now are reckoned anew each time. */
export function filtersOf(view: View): Filters {
  const endpointId = valuesOf(view, 'endpoint')
  const status = valuesOf(view, 'status').filter((value): value is Status =>
    STATUSES.includes(value as Status),
  )
  const type = valuesOf(view, 'type')
  const hours = HOURS[view.time as keyof typeof HOURS] as number | undefined
  const after = hours ? new Date(Date.now() - hours * 3_600_000).toISOString() : instantOf(view.after)
  const before = instantOf(view.before)
  return {
    ...(endpointId.length > 0 ? { endpointId } : {}),
    ...(status.length > 0 ? { status } : {}),
    ...(type.length > 0 ? { type } : {}),
    ...(after ? { createdAfter: after } : {}),
    ...(before ? { createdBefore: before } : {}),
  }
}

/** Of what somebody typed into the address, too: then it is the reader's own time. */
export function instantOf(local: string | undefined): string | undefined {
  const time = new Date(local ?? '')
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
