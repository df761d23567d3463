import { Alert, Anchor, Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../client/calls.ts'
import { readAgain, useAnswer } from '../../client/use-answer.ts'
import { shutOffs as words } from '../../words/shut-offs.ts'
import { AppLink } from '../app-link.tsx'
import { Moment } from '../moment.tsx'
import { ProblemAlert } from '../problem-alert.tsx'

const EVERY = 60_000

/** For admins, on every page: endpoints that failures turned off, until they have looked at them. */
export function ShutOffNotice() {
  const { data } = useAnswer('listWebhookShutOffs', {}, { refetchInterval: EVERY })
  const off = data?.data ?? []
  const dismissing = useMutation({
    mutationFn: async () => {
      for (const { endpointId } of off) await call('acknowledgeWebhookShutOff', { id: endpointId })
    },
    onSettled: () => readAgain('listWebhookShutOffs'),
  })
  if (off.length === 0) return null
  return (
    <Alert color="red" title={words.title(off.length)} mb="lg" maw={1080}>
      <Stack gap="xs">
        <Stack component="ul" gap={4} m={0} p={0} style={{ listStyle: 'none' }}>
          {off.map(({ endpointId, address, disabledAt, failures }) => (
            <Text key={endpointId} component="li" size="sm" style={{ overflowWrap: 'anywhere' }}>
              <Anchor component={AppLink} href={`/settings/webhooks/${endpointId}`} inherit>
                <bdi>{address}</bdi>
              </Anchor>
              {', '}
              <Moment at={disabledAt} />
              {failures.length > 0 && <>: {words.last(failures.length, failures.at(-1)!.meaning)}</>}
            </Text>
          ))}
        </Stack>
        <Text size="sm" maw="72ch">
          {words.text}
        </Text>
        <ProblemAlert error={dismissing.error} />
        <div>
          <Button
            size="compact-sm"
            variant="default"
            loading={dismissing.isPending}
            onClick={() => dismissing.mutate()}
          >
            {words.dismiss}
          </Button>
        </div>
      </Stack>
    </Alert>
  )
}
