import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { capital } from '../../../model/capital.ts'
import type { Output } from '../../client/calls.ts'
import { callAsGuest } from '../../client/guest-calls.ts'
import { isProblem, Problem } from '../../client/problem.ts'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { guestPage } from '../../copy/to-read.ts'

const words = guestPage.code

/**
 * Asks for a code that goes to the mailbox of the link. Who gives it back has done what it was asked for with that.
 * @param read what they are about to acknowledge: no code goes out for what is asked no more
 */
export function ProveMailbox({
  read: { id, contentSha256 },
  proved,
  replaced,
}: {
  read: Pick<Output<'readPolicyAsGuest'>, 'id' | 'contentSha256'>
  proved: () => void
  replaced: (error: unknown) => void
}) {
  const [code, setCode] = useState('')
  const [isAnother, setIsAnother] = useState(false)
  const sending = useMutation({
    mutationFn: async () => {
      await callAsGuest('checkPolicyAsGuest', { id, contentSha256 })
      return callAsGuest('sendGuestCode', {})
    },
    onError: (error) => isProblem(error, 'text_changed') && replaced(error),
  })
  const confirming = useMutation({
    mutationFn: () => callAsGuest('confirmGuestCode', { code: code.replaceAll(/\s/g, '') }),
    onSuccess: proved,
  })
  const wrong = wrongIn(confirming.error)
  // It takes the place of the button that was in sight, and is larger than that.
  const shown = useRef<HTMLDivElement>(null)
  const { isSuccess } = sending
  const sendAnother = () =>
    sending.mutate(undefined, {
      // What was said of the code before does not hold for this one.
      onSuccess: () => {
        setIsAnother(true)
        setCode('')
        confirming.reset()
      },
    })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it grows once the code was sent
  useEffect(() => void shown.current?.scrollIntoView({ block: 'nearest' }), [isSuccess])
  return (
    <Paper withBorder p="md" ref={shown}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {words.title}
        </Title>
        <Text size="sm" c="dimmed">
          {words.text}
        </Text>
        <ProblemAlert error={sending.error ?? (wrong === undefined ? confirming.error : null)} />
        {sending.data ? (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              confirming.mutate()
            }}
          >
            <Stack gap="sm">
              <Text size="sm" role="status">
                {(isAnother ? words.sentAnother : words.sent)(sending.data.minutes)}
              </Text>
              <TextInput
                label={words.label}
                value={code}
                error={wrong}
                onChange={({ currentTarget }) => {
                  setCode(currentTarget.value)
                  if (wrong !== undefined) confirming.reset()
                }}
                inputMode="numeric"
                autoComplete="one-time-code"
                maw={200}
                data-autofocus
              />
              <Group>
                <Button type="submit" loading={confirming.isPending}>
                  {words.submit}
                </Button>
                <Button variant="subtle" onClick={sendAnother} loading={sending.isPending}>
                  {words.again}
                </Button>
              </Group>
            </Stack>
          </form>
        ) : (
          <Group>
            <Button variant="default" onClick={() => sending.mutate()} loading={sending.isPending}>
              {words.send}
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  )
}

/** What the service says of the code. */
const wrongIn = (error: unknown): string | undefined =>
  error instanceof Problem
    ? error.errors.flatMap(({ path, message }) => (path === 'code' ? capital(message) : []))[0]
    : undefined
