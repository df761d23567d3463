import { Alert } from '@mantine/core'
import type { Endpoint } from '../../../parts/webhooks/chip.tsx'
import { endpoint } from '../../../words/webhooks.ts'

const words = endpoint.off
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** That it is off, by whom, and what that means for what happens meanwhile. */
export function OffAlert({ endpoint: { enabled, disabledReason, disabledAt } }: { endpoint: Endpoint }) {
  if (enabled) return null
  const when = disabledAt ? moment.format(new Date(disabledAt)) : ''
  return disabledReason === 'failures' ? (
    <Alert color="red" title={words.failures(when)}>
      {words.failuresText}
    </Alert>
  ) : (
    <Alert color="gray" title={words.person(when)}>
      {words.personText}
    </Alert>
  )
}
