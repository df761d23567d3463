import { Drawer, Input, Stack, TextInput } from '@mantine/core'
import { CALLBACK_PATH } from '../../../../model/callback-path.ts'
import { readAgain } from '../../../client/use-answer.ts'
import { CopyableText } from '../../../components/copyable-text.tsx'
import { FormFoot } from '../../../components/form-foot.tsx'
import { useGuardedCall } from '../../../components/identity-guard.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { SecretField } from '../../../components/secret-field.tsx'
import { useForm } from '../../../components/use-form.ts'
import { providerForm as words } from '../../../copy/sign-in-providers.ts'
import type { Provider } from './provider.ts'

/** Adds a provider, or changes what of one may change: its issuer stays, and its domains have their own place. */
export function ProviderForm({ provider, close }: { provider: Provider | null; close: () => void }) {
  const call = useGuardedCall()
  const initial = {
    name: provider?.name ?? '',
    issuer: provider?.issuer ?? '',
    clientId: provider?.clientId ?? '',
    clientSecret: '',
    domains: '',
  }
  const { typed, form, field, problem, isSending } = useForm({
    initial,
    optional: provider ? ['clientSecret', 'domains'] : ['domains'],
    send: async ({ name, issuer, clientId, clientSecret, domains }) => {
      if (provider)
        await call('updateSignInProvider', {
          id: provider.id,
          name,
          clientId,
          ...(clientSecret ? { clientSecret } : {}),
        })
      else
        await call('createSignInProvider', {
          name,
          issuer: issuer.trim(),
          clientId,
          clientSecret,
          domains: domains.split(/[\s,;]+/).filter(Boolean),
        })
      await readAgain('listSignInProviders')
      close()
    },
  })
  const isTouched = JSON.stringify(typed) !== JSON.stringify(initial)
  return (
    <Drawer
      opened
      onClose={close}
      title={provider ? words.changeTitle(provider.name) : words.addTitle}
      size={520}
      closeOnClickOutside={false}
      closeOnEscape={!isTouched}
    >
      <form {...form}>
        <Stack>
          <Input.Wrapper label={words.redirect} description={words.redirectHint} labelElement="div">
            <div>
              <CopyableText>{provider?.redirectUri ?? location.origin + CALLBACK_PATH}</CopyableText>
            </div>
          </Input.Wrapper>
          <TextInput
            {...field('name')}
            label={words.name}
            description={words.nameHint}
            autoComplete="off"
            data-autofocus
          />
          {!provider && (
            <TextInput
              {...field('issuer')}
              label={words.issuer}
              description={words.issuerHint}
              placeholder={words.issuerPlaceholder}
              type="url"
              autoComplete="off"
              spellCheck={false}
            />
          )}
          <TextInput {...field('clientId')} label={words.clientId} autoComplete="off" spellCheck={false} />
          <SecretField
            {...field('clientSecret')}
            label={words.clientSecret}
            description={provider ? words.secretChangeHint : words.secretHint}
            autoComplete="new-password"
          />
          {!provider && (
            <TextInput
              {...field('domains')}
              label={words.domains}
              description={words.domainsHint}
              placeholder={words.domainsPlaceholder}
              autoComplete="off"
              spellCheck={false}
            />
          )}
          <ProblemAlert error={problem} />
        </Stack>
        <FormFoot submit={provider ? words.save : words.add} isSending={isSending} cancel={close} isPinned />
      </form>
    </Drawer>
  )
}
