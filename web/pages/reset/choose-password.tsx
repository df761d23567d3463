import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../client/calls.ts'
import { startAfresh } from '../../client/session.ts'
import { useAlsoEnded } from '../../components/also-ended.tsx'
import { Entrance } from '../../components/entrance.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { SecretField } from '../../components/secret-field.tsx'
import { useForm } from '../../components/use-form.ts'
import { reset as words } from '../../copy/entering.ts'

/** Takes the new password of whoever has the link; they sign in with it afterwards, second factor and all. */
export function ChoosePassword({ token }: { token: string }) {
  const [isDone, setIsDone] = useState(false)
  const link = useQuery({
    queryKey: ['getPasswordReset', token],
    queryFn: () => call('getPasswordReset', { token }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (isDone)
    return (
      <Entrance title={words.done.title} text={words.done.text}>
        <Button onClick={() => void startAfresh('/sign-in')}>{words.done.signIn}</Button>
      </Entrance>
    )
  return (
    <Entrance title={words.title}>
      <Loaded query={link} lines={3}>
        {({ email }) => <Choose token={token} email={email} done={() => setIsDone(true)} />}
      </Loaded>
      {link.isError && (
        <Anchor component={Link} to="/sign-in" size="sm">
          {words.ask.back}
        </Anchor>
      )}
    </Entrance>
  )
}

function Choose({ token, email, done }: { token: string; email: string; done: () => void }) {
  const { ended, boxes } = useAlsoEnded()
  const { form, field, problem, isSending } = useForm({
    initial: { password: '' },
    send: (typed) => call('resetPassword', { token, ...typed, ...ended }).then(done),
  })
  return (
    <form {...form}>
      <Stack>
        <ProblemAlert error={problem} />
        <TextInput
          label={words.email}
          value={email}
          readOnly
          type="email"
          name="email"
          autoComplete="username"
        />
        <SecretField
          {...field('password')}
          label={words.password}
          description={words.passwordHint}
          autoComplete="new-password"
          autoFocus
        />
        <Text size="sm" c="dimmed">
          {words.note}
        </Text>
        {boxes}
        <Button type="submit" loading={isSending}>
          {words.submit}
        </Button>
      </Stack>
    </form>
  )
}
