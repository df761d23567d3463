import { Button, Divider, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Output } from '../../client/calls.ts'
import { hasPasskeys } from '../../client/passkeys.ts'
import { sessionBegan, sessionQuery, startAfresh } from '../../client/session.ts'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { SecretField } from '../../components/secret-field.tsx'
import { ByPasskey } from '../../components/sign-in/by-passkey.tsx'
import { type Challenge, SecondFactor } from '../../components/sign-in/second-factor.tsx'
import { useForm } from '../../components/use-form.ts'
import { invitation as words } from '../../copy/entering.ts'
import { signIn } from '../../copy/sign-in.ts'

/** A new password, or proof that it is theirs: the one they have, a passkey, or that they are signed in. */
export function Accept({ token, invited }: { token: string; invited: Output<'getInvitation'> }) {
  const { email, name, hasPassword } = invited
  const [challenge, setChallenge] = useState<Challenge | null>(null)
  const { data: session } = useQuery(sessionQuery)
  const isIn =
    hasPassword !== false &&
    session?.state === 'signed_in' &&
    session.session.provider === null &&
    session.person.email.toLowerCase() === email.toLowerCase()
  const done = () => startAfresh('/')
  const { form, field, problem, isSending } = useForm({
    initial: { name: name ?? '', password: '' },
    optional: isIn ? ['password'] : [],
    send: async ({ name, password }) => {
      const outcome = await call('acceptInvitation', { token, name, ...(isIn ? {} : { password }) })
      return outcome.state === 'second_factor' ? setChallenge(outcome) : done()
    },
  })
  if (challenge)
    return <SecondFactor challenge={challenge} done={done} startOver={() => setChallenge(null)} />
  return (
    <Stack>
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
          {isIn ? (
            <Text size="sm">{words.isIn}</Text>
          ) : (
            <SecretField
              {...field('password')}
              label={hasPassword ? words.knownPassword : words.password}
              description={hintOf(hasPassword)}
              autoComplete={hasPassword ? 'current-password' : 'new-password'}
              autoFocus
            />
          )}
          <Button type="submit" loading={isSending}>
            {words.submit}
          </Button>
        </Stack>
      </form>
      {hasPassword !== false && !isIn && hasPasskeys() && (
        <>
          <Divider label={signIn.or} />
          <ByPasskey label={signIn.passkey} done={sessionBegan} />
        </>
      )}
    </Stack>
  )
}

/** A link that was handed over does not say whether they are known here. */
const hintOf = (hasPassword: boolean | null): string =>
  hasPassword === null ? words.eitherPasswordHint : hasPassword ? words.knownPasswordHint : words.passwordHint
