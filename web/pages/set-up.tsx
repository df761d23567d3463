import { Button, Divider, Stack, TextInput } from '@mantine/core'
import { call } from '../client/calls.ts'
import { ofBrowser } from '../client/formats.ts'
import { useOneTimeToken } from '../client/one-time-token.ts'
import { startAfresh } from '../client/session.ts'
import { EmailInput } from '../components/email-input.tsx'
import { Entrance } from '../components/entrance.tsx'
import { ProblemAlert } from '../components/problem-alert.tsx'
import { SecretField } from '../components/secret-field.tsx'
import { useForm } from '../components/use-form.ts'
import { setUp } from '../copy/entering.ts'

export function SetUpPage() {
  const token = useOneTimeToken()
  if (token === null) return <Entrance title={setUp.noToken.title} text={setUp.noToken.text} />
  return (
    <Entrance title={setUp.title} text={setUp.text}>
      <SetUp token={token} />
    </Entrance>
  )
}

function SetUp({ token }: { token: string }) {
  const { form, field, problem, isSending } = useForm({
    initial: { organizationName: '', name: '', email: '', password: '' },
    // How it writes dates and numbers, until somebody says otherwise: as its first admin does.
    send: (typed) => call('setUp', { token, ...typed, ...ofBrowser() }).then(() => startAfresh('/')),
  })
  return (
    <form {...form}>
      <Stack>
        <ProblemAlert error={problem} />
        <TextInput
          {...field('organizationName')}
          label={setUp.organizationName}
          autoComplete="organization"
          autoFocus
        />
        <Divider />
        <TextInput {...field('name')} label={setUp.name} autoComplete="name" />
        <EmailInput {...field('email')} label={setUp.email} autoComplete="username" />
        <SecretField
          {...field('password')}
          label={setUp.password}
          description={setUp.passwordHint}
          autoComplete="new-password"
        />
        <Button type="submit" loading={isSending}>
          {setUp.submit}
        </Button>
      </Stack>
    </form>
  )
}
