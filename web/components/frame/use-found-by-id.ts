import { useQuery } from '@tanstack/react-query'
import { nameOf } from '../../../model/roles.ts'
import { call } from '../../client/calls.ts'
import { kindOfId } from '../../client/kinds.ts'
import { mayDo, recordCall } from '../../client/records.ts'
import { type SignedIn, useSignedIn } from '../../client/session.ts'
import { palette as words } from '../../copy/records.ts'

/** What has an id and a page. */
export interface Found {
  id: string
  label: string
  hint: string
  to: string
}

/**
 * What an id stands for that somebody brings from elsewhere: a record, a delivery (receivers log its
 * `webhook-id`), an endpoint. Nothing, where there is none or the person may not read it.
 *
 * @param typed anything; only what looks like an id is asked for
 */
export function useFoundById(typed: string): Found | null {
  const signedIn = useSignedIn()
  const find = /^[a-z]+_[0-9a-z]{26}$/.test(typed) ? finderOf(typed, signedIn) : null
  const { data } = useQuery({
    queryKey: ['found by id', typed],
    queryFn: async () => {
      const found = await find!()
      return found && { id: typed, ...found }
    },
    enabled: find !== null,
    retry: false,
  })
  return (find && data) ?? null
}

function finderOf(id: string, signedIn: SignedIn): (() => Promise<Omit<Found, 'id'> | null>) | null {
  const kind = kindOfId(id)
  if (kind)
    return mayDo(kind, 'read', signedIn)
      ? async () => {
          const record = await recordCall(kind, 'get', { id })
          return { label: nameOf(kind, record), hint: record.reference, to: `/${kind.page}/${id}` }
        }
      : null
  if (!signedIn.capabilities.includes('settings.manage')) return null
  if (id.startsWith('dlv_'))
    return async () => {
      const { type } = await call('getWebhookDelivery', { id })
      return { label: type, hint: words.delivery, to: `/settings/deliveries/${id}` }
    }
  if (id.startsWith('whe_'))
    return async () => {
      const endpoint = (await call('listWebhookEndpoints', {})).data.find((one) => one.id === id)
      return endpoint
        ? { label: endpoint.address, hint: words.endpoint, to: `/settings/webhooks/${id}` }
        : null
    }
  return null
}
