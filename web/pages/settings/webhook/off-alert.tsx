import { Alert } from '@mantine/core'
import { Moment } from '../../../parts/moment.tsx'
import type { Endpoint } from '../../../parts/webhooks/chip.tsx'
import { endpoint } from '../../../words/webhooks.ts'

const words = endpoint.off

/** That it is off, by whom, and what that means for what happens meanwhile. */
export function OffAlert({ endpoint: { enabled, disabledReason, disabledAt } }: { endpoint: Endpoint }) {
  if (enabled) return null
  const isFailing = disabledReason === 'failures'
  const title = (
    <>
      {isFailing ? words.failures : words.person}
      {disabledAt && (
        <>
          {', '}
          <Moment isExact at={disabledAt} />
        </>
      )}
    </>
  )
  return (
    <Alert color={isFailing ? 'red' : 'gray'} title={title}>
      {isFailing ? words.failuresText : words.personText}
    </Alert>
  )
}
