import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../client/calls.ts'
import { confirmWithPasskey, hasPasskeys, PasskeyUnused } from '../client/passkeys.ts'
import { isProblem } from '../client/problem.ts'
import { eitherCode } from '../client/second-factor-code.ts'
import { useAnswer } from '../client/use-answer.ts'
import { again, signIn } from '../copy/sign-in.ts'
import { FormFoot } from './form-foot.tsx'
import { ProblemAlert } from './problem-alert.tsx'
import { SecretField } from './secret-field.tsx'
import { useForm } from './use-form.ts'

/** By the password; by a code too, where the service then asks for one; or by a passkey instead, where there is one. */
export function ConfirmIdentity({ answer }: { answer: (confirmed: boolean) => void }) {
  const [asksForCode, setAsksForCode] = useState(false)
  const { form, field, problem, isSending } = useForm({
    initial: { password: '', code: '' },
    optional: asksForCode ? [] : ['code'],
    send: async ({ password, code }) => {
      try {
        await call('confirmIdentity', { password, ...(asksForCode ? eitherCode(code) : {}) } as never)
        answer(true)
      } catch (error) {
        if (asksForCode || !isProblem(error, 'identity_unconfirmed')) throw error
        setAsksForCode(true)
      }
    },
  })
  const hasOne = (useAnswer('getSignInMethods', {}).data?.passkeys.length ?? 0) > 0
  const byPasskey = useMutation({ mutationFn: () => confirmWithPasskey().then(() => answer(true)) })
  const wasUnused = byPasskey.error instanceof PasskeyUnused
  return (
    <form {...form}>
      <Stack>
        <Text size="sm" c="dimmed">
          {again.text}
        </Text>
        <ProblemAlert error={problem ?? (wasUnused ? null : byPasskey.error)} />
        <SecretField
          {...field('password')}
          label={again.password}
          autoComplete="current-password"
          data-autofocus
        />
        {asksForCode && (
          <TextInput
            {...field('code')}
            label={again.code}
            description={again.codeHint}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
          />
        )}
        {wasUnused && (
          <Text size="sm" c="dimmed" role="status">
            {signIn.passkeyFailed}
          </Text>
        )}
        <FormFoot submit={again.submit} isSending={isSending} cancel={() => answer(false)}>
          {hasPasskeys() && hasOne && (
            <Button variant="subtle" px="xs" loading={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
              {again.passkey}
            </Button>
          )}
        </FormFoot>
      </Stack>
    </form>
  )
}
