import { Alert, Anchor, Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../client/calls.ts'
import { sessionQuery } from '../../client/session.ts'
import { EmailInput } from '../../components/email-input.tsx'
import { Entrance } from '../../components/entrance.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { useForm } from '../../components/use-form.ts'
import { reset } from '../../copy/entering.ts'

const words = reset.ask

/** Has a link sent, or says who can make one where the service sends no mail. */
export function AskForLink() {
  const { data: session } = useQuery(sessionQuery)
  return (
    <Entrance title={reset.title}>
      {session?.mail === false ? <Alert title={words.noMail.title}>{words.noMail.text}</Alert> : <Ask />}
      <Anchor component={Link} to="/sign-in" size="sm">
        {words.back}
      </Anchor>
    </Entrance>
  )
}

function Ask() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { state } = useLocation()
  const { form, field, problem, isSending } = useForm({
    initial: { email: state.email ?? '' },
    send: async (typed) => {
      await call('requestPasswordReset', typed)
      setSentTo(typed.email)
    },
  })
  if (sentTo !== null)
    return (
      <Alert role="status" title={words.sentTitle}>
        {words.sent(sentTo)}
      </Alert>
    )
  return (
    <form {...form}>
      <Stack>
        <Text size="sm" c="dimmed">
          {words.text}
        </Text>
        <ProblemAlert error={problem} />
        <EmailInput {...field('email')} label={words.email} autoComplete="username" autoFocus />
        <Button type="submit" loading={isSending}>
          {words.submit}
        </Button>
      </Stack>
    </form>
  )
}
