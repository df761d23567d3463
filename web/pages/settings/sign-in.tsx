import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { CALLBACK_PATH } from '../../../model/callback-path.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { CopyableText } from '../../components/copyable-text.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Section } from '../../components/section.tsx'
import { signInProviders as words } from '../../copy/sign-in-providers.ts'
import type { Provider } from './sign-in/provider.ts'
import { ProviderCard } from './sign-in/provider-card.tsx'
import { ProviderForm } from './sign-in/provider-form.tsx'
import { SecondFactorRule } from './sign-in/second-factor-rule.tsx'

/** The OpenID Connect providers of the organization. */
export function SignInSettingsPage() {
  const [editing, setEditing] = useState<Provider | 'new' | null>(null)
  const providers = useAnswer('listSignInProviders', {})
  return (
    <Stack gap={36}>
      <PageHead title={words.title} text={words.text} />
      <SecondFactorRule />
      <Section
        title={words.providers}
        text={words.providersText}
        action={<Button onClick={() => setEditing('new')}>{words.add}</Button>}
      >
        <Loaded query={providers} lines={4}>
          {({ data }) =>
            data.length === 0 ? (
              <Stack gap="xs">
                <Text size="sm" maw="72ch">
                  {words.empty}
                </Text>
                <div>
                  <CopyableText>{location.origin + CALLBACK_PATH}</CopyableText>
                </div>
              </Stack>
            ) : (
              data.map((provider) => (
                <ProviderCard key={provider.id} provider={provider} edit={() => setEditing(provider)} />
              ))
            )
          }
        </Loaded>
      </Section>
      {editing && (
        <ProviderForm provider={editing === 'new' ? null : editing} close={() => setEditing(null)} />
      )}
    </Stack>
  )
}
