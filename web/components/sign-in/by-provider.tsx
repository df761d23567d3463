import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Output } from '../../client/calls.ts'
import { signIn } from '../../copy/sign-in.ts'
import { EmailInput } from '../email-input.tsx'
import { ProblemAlert } from '../problem-alert.tsx'
import { useForm } from '../use-form.ts'

type Provider = Output<'findSignInProviders'>['providers'][number]

/** The pages that the way back may lead to; from any other one begins at the overview. */
const MAY_COME_BACK = /^\/(account\/security|consent\/[\w-]+)?$/

/** Finds the sign-in of the organization that an e-mail belongs to, and goes there. */
export function ByProvider({
  email,
  returnTo,
  back,
}: {
  email: string
  returnTo: string | undefined
  back: () => void
}) {
  const [found, setFound] = useState<Provider[] | null>(null)
  const going = useMutation({
    mutationFn: async (providerId: string) => {
      const input = returnTo && MAY_COME_BACK.test(returnTo) ? { providerId, returnTo } : { providerId }
      const { location: there } = await call('beginProviderSignIn', input)
      location.assign(there)
      return new Promise(() => {})
    },
  })
  const { form, field, problem, isSending } = useForm({
    initial: { email },
    send: async (typed) => {
      const { providers } = await call('findSignInProviders', typed)
      setFound(providers)
      if (providers.length === 1) going.mutate(providers[0]!.id)
    },
  })
  return (
    <Stack>
      <form {...form}>
        <Stack>
          <Text size="sm">{signIn.provider.text}</Text>
          <ProblemAlert error={problem ?? going.error} />
          <EmailInput {...field('email')} label={signIn.email} autoComplete="email" autoFocus />
          {found?.length === 0 && (
            <Text size="sm" role="status">
              {signIn.provider.none}
            </Text>
          )}
          {found && found.length > 1 ? (
            found.map(({ id, name }) => (
              <Button
                key={id}
                loading={going.isPending && going.variables === id}
                onClick={() => going.mutate(id)}
              >
                {signIn.provider.through(name)}
              </Button>
            ))
          ) : (
            <Button type="submit" fullWidth loading={isSending || going.isPending}>
              {signIn.provider.submit}
            </Button>
          )}
        </Stack>
      </form>
      <Button variant="subtle" fullWidth onClick={back}>
        {signIn.provider.back}
      </Button>
    </Stack>
  )
}
