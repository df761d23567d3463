import { Button, Code, Group, Paper, Radio, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../client/calls.ts'
import { readAgain, useAnswer } from '../../client/use-answer.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Moment } from '../../components/moment.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { calendarFeed as words } from '../../copy/calendar.ts'

const WHOSE = ['mine', 'everybody'] as const
type Whose = (typeof WHOSE)[number]

/** The address at which a calendar program reads what is due; it is made anew, or ended. */
export function CalendarFeed() {
  const query = useAnswer('getCalendarFeed', {})
  const [whose, setWhose] = useState<Whose | null>(null)
  const [isCopied, setIsCopied] = useState(false)
  const again = () => readAgain('getCalendarFeed')
  const wanted = whose ?? query.data?.feed?.whose ?? 'mine'
  const making = useMutation({
    mutationFn: () => call('createCalendarFeed', { whose: wanted }),
    onSettled: again,
  })
  const ending = useMutation({
    mutationFn: () => call('endCalendarFeed', {}),
    onSuccess: () => making.reset(),
    onSettled: again,
  })
  const url = making.data?.url
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} component="section" aria-label={words.title}>
      <Stack gap="sm" maw={560}>
        <Text component="h2" fz="md" fw={600} m={0}>
          {words.title}
        </Text>
        <Text size="sm" c="dimmed">
          {words.text}
        </Text>
        <ProblemAlert error={making.error ?? ending.error} />
        {url && (
          <Stack gap={6} role="status">
            <Text size="sm">{words.once}</Text>
            <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {url}
            </Code>
            <Group justify="flex-end">
              <Button
                size="xs"
                variant="default"
                onClick={() => navigator.clipboard.writeText(url).then(() => setIsCopied(true))}
              >
                {isCopied ? words.copied : words.copy}
              </Button>
            </Group>
          </Stack>
        )}
        <Loaded query={query} lines={2}>
          {({ feed }) => (
            <>
              <Text size="sm">
                {feed ? (
                  <>
                    {words.ofWhom[feed.whose]}. {words.since} <Moment at={feed.createdAt} />. {words.read}:{' '}
                    {feed.lastReadAt ? <Moment at={feed.lastReadAt} /> : words.never}.
                  </>
                ) : (
                  words.none
                )}
              </Text>
              <Radio.Group
                label={words.whose}
                value={wanted}
                onChange={(next) => setWhose(next as Whose)}
                size="sm"
              >
                <Stack gap={6} mt={6}>
                  {WHOSE.map((one) => (
                    <Radio key={one} value={one} label={words.ofWhom[one]} />
                  ))}
                </Stack>
              </Radio.Group>
              <Group gap="sm">
                <Button
                  size="sm"
                  variant="default"
                  loading={making.isPending}
                  onClick={() => {
                    setIsCopied(false)
                    making.mutate()
                  }}
                >
                  {feed ? words.renew : words.create}
                </Button>
                {feed && (
                  <Button
                    size="sm"
                    variant="default"
                    loading={ending.isPending}
                    onClick={() => ending.mutate()}
                  >
                    {words.end}
                  </Button>
                )}
                {feed && (
                  <Text size="xs" c="dimmed">
                    {words.renewHint}
                  </Text>
                )}
              </Group>
            </>
          )}
        </Loaded>
      </Stack>
    </Paper>
  )
}
