import { Alert, Anchor, Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Fragment } from 'react'
import { call } from '../../client/calls.ts'
import { readAgain, useAnswer } from '../../client/use-answer.ts'
import { shutOffs as words } from '../../copy/shut-offs.ts'
import { AppLink } from '../app-link.tsx'
import { Moment } from '../moment.tsx'
import { ProblemAlert } from '../problem-alert.tsx'

const EVERY = 60_000

const pageOf = (id: string): string => `/settings/webhooks/${id}`

/**
 * For admins, on every page: endpoints that failures turned off, until they have looked at them. It comes after the
 * page beneath it, and so it is a line or two; why one went off stands on its own page.
 */
export function ShutOffNotice() {
  const { data } = useAnswer('listWebhookShutOffs', {}, { refetchInterval: EVERY })
  // Its own page says more, and says at once that it was looked at.
  const pathname = useLocation({ select: ({ pathname }) => pathname })
  const off = data?.data.filter(({ endpointId }) => pathname !== pageOf(endpointId)) ?? []
  const dismissing = useMutation({
    mutationFn: async () => {
      for (const { endpointId } of off) await call('acknowledgeWebhookShutOff', { id: endpointId })
    },
    onSettled: () => readAgain('listWebhookShutOffs'),
  })
  if (off.length === 0) return null
  return (
    <Alert color="red" mb="md" py={6} px="sm">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Text size="sm" flex="1 1 16rem" style={{ overflowWrap: 'anywhere' }}>
          <b>{words.title(off.length)}</b>{' '}
          {off.map(({ endpointId, address, disabledAt }, at) => (
            <Fragment key={endpointId}>
              {at > 0 && ', '}
              <Anchor component={AppLink} href={pageOf(endpointId)} inherit underline="always">
                <bdi>{address}</bdi>
              </Anchor>{' '}
              (<Moment at={disabledAt} />)
            </Fragment>
          ))}
          {'. '}
          {words.text}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          loading={dismissing.isPending}
          onClick={() => dismissing.mutate()}
        >
          {words.dismiss}
        </Button>
      </Group>
      <ProblemAlert error={dismissing.error} />
    </Alert>
  )
}
