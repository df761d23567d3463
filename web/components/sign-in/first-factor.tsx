import { Alert, Anchor, Button, Divider, Group, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { call } from '../../client/calls.ts'
import { canOfferInField, hasPasskeys, signInWithPasskey, stopWaiting } from '../../client/passkeys.ts'
import { signIn } from '../../copy/sign-in.ts'
import { EmailInput } from '../email-input.tsx'
import { ProblemAlert } from '../problem-alert.tsx'
import { SecretField } from '../secret-field.tsx'
import { useForm } from '../use-form.ts'
import { ByPasskey } from './by-passkey.tsx'
import { ByProvider } from './by-provider.tsx'
import type { Challenge } from './second-factor.tsx'

/** E-mail and password; a passkey instead of both; or the sign-in of an organization. */
export function FirstFactor({
  done,
  challenged,
  returnTo,
}: {
  done: () => Promise<unknown>
  challenged: (challenge: Challenge) => void
  returnTo: string | undefined
}) {
  const [byProvider, setByProvider] = useState(false)
  const [isMailed, setIsMailed] = useState(false)
  const { form, field, problem, isSending, typed } = useForm({
    initial: { email: '', password: '' },
    send: async (given) => {
      const outcome = await call('signIn', given)
      setIsMailed(outcome.state === 'mailed')
      if (outcome.state === 'mailed') return
      return outcome.state === 'signed_in' ? done() : challenged(outcome)
    },
  })
  usePasskeysInField(done)

  if (byProvider)
    return <ByProvider email={typed.email} returnTo={returnTo} back={() => setByProvider(false)} />
  return (
    <Stack>
      <form {...form}>
        <Stack>
          <ProblemAlert error={problem} />
          {isMailed && (
            <Alert role="status" title={signIn.mailed.title}>
              {signIn.mailed.text}
            </Alert>
          )}
          <EmailInput {...field('email')} label={signIn.email} autoComplete="username webauthn" autoFocus />
          <SecretField
            {...field('password')}
            label={signIn.password}
            autoComplete="current-password webauthn"
          />
          <Button type="submit" loading={isSending} fullWidth>
            {signIn.submit}
          </Button>
        </Stack>
      </form>
      <Divider label={signIn.or} />
      <Stack gap="xs">
        {hasPasskeys() && <ByPasskey label={signIn.passkey} done={done} />}
        <Button variant="default" fullWidth onClick={() => setByProvider(true)}>
          {signIn.provider.open}
        </Button>
      </Stack>
      <Group justify="center">
        <Anchor component={Link} to="/reset" state={{ email: typed.email }} size="sm">
          {signIn.forgot}
        </Anchor>
      </Group>
    </Stack>
  )
}

/** While the page is open, the e-mail field offers the passkeys that this browser has for us. */
function usePasskeysInField(done: () => Promise<unknown>) {
  const finish = useEffectEvent(done)
  useEffect(() => {
    let isOpen = true
    canOfferInField()
      .then((can) =>
        can && isOpen ? signInWithPasskey({ fromField: true }).then(() => finish()) : undefined,
      )
      .catch(() => {}) // it was never asked for: whoever wants a passkey has the button
    return () => {
      isOpen = false
      void stopWaiting()
    }
  }, [])
}
