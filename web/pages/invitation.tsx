import { Button, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../client/calls.ts'
import { useOneTimeToken } from '../client/one-time-token.ts'
import { startAfresh } from '../client/session.ts'
import { Entrance } from '../parts/entrance.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { ProblemAlert } from '../parts/problem-alert.tsx'
import { SecretField } from '../parts/secret-field.tsx'
import { type Challenge, SecondFactor } from '../parts/sign-in/second-factor.tsx'
import { useForm } from '../parts/use-form.ts'
import { invitation as words } from '../words/entering.ts'

export function InvitationPage() {
  const token = useOneTimeToken()
  const invitation = useQuery({
    queryKey: ['getInvitation', token],
    queryFn: () => call('getInvitation', { token: token! }),
    enabled: token !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (token === null) return <Entrance title={words.noToken.title} text={words.noToken.text} />
  return (
    <Entrance title={words.title} text={invitation.data && words.to(invitation.data.organizationName)}>
      <Loaded query={invitation} lines={4}>
        {({ email, name, hasPassword }) => (
          <Accept token={token} email={email} name={name ?? ''} hasPassword={hasPassword} />
        )}
      </Loaded>
    </Entrance>
  )
}

function Accept({
  token,
  email,
  name,
  hasPassword,
}: {
  token: string
  email: string
  name: string
  hasPassword: boolean
}) {
  const [challenge, setChallenge] = useState<Challenge | null>(null)
  const done = () => startAfresh('/')
  const { form, field, problem, isSending } = useForm({
    initial: { name, password: '' },
    send: async (typed) => {
      const outcome = await call('acceptInvitation', { token, ...typed })
      return outcome.state === 'second_factor' ? setChallenge(outcome) : done()
    },
  })
  if (challenge)
    return <SecondFactor challenge={challenge} done={done} startOver={() => setChallenge(null)} />
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
        <TextInput {...field('name')} label={words.name} autoComplete="name" />
        <SecretField
          {...field('password')}
          label={hasPassword ? words.knownPassword : words.password}
          description={hasPassword ? words.knownPasswordHint : words.passwordHint}
          autoComplete={hasPassword ? 'current-password' : 'new-password'}
          autoFocus
        />
        <Button type="submit" loading={isSending}>
          {words.submit}
        </Button>
      </Stack>
    </form>
  )
}
