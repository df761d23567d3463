import { Alert } from '@mantine/core'
import { useEffect } from 'react'
import { call } from '../../../client/calls.ts'
import { readAgain } from '../../../client/use-answer.ts'
import { Moment } from '../../../components/moment.tsx'
import type { Endpoint } from '../../../components/webhooks/chip.tsx'
import { endpoint } from '../../../copy/webhooks.ts'

const words = endpoint.off

/** That it is off, by whom, and what that means for what happens meanwhile. */
export function OffAlert({ endpoint: { id, enabled, disabledReason, disabledAt } }: { endpoint: Endpoint }) {
  const isFailing = !enabled && disabledReason === 'failures'
  // Whoever is here has looked: the reminder on every page goes.
  useEffect(() => {
    if (!isFailing || !disabledAt) return
    call('acknowledgeWebhookShutOff', { id }).then(
      () => readAgain('listWebhookShutOffs'),
      () => {},
    )
  }, [id, isFailing, disabledAt])
  if (enabled) return null
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
