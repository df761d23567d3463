import { Drawer, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { scopeText } from '../../../model/scope-texts.ts'
import { FORM_SCOPES, type Scope, WEBHOOK_SCOPES } from '../../../model/scopes.ts'
import type { Input } from '../../client/calls.ts'
import { everyKind } from '../../client/kinds.ts'
import { endOfDay } from '../../client/typed-times.ts'
import { readAgain } from '../../client/use-answer.ts'
import { newKey as words } from '../../copy/api-keys.ts'
import { FormFoot } from '../form-foot.tsx'
import { useGuardedCall } from '../identity-guard.tsx'
import { ProblemAlert } from '../problem-alert.tsx'
import { SecretBox } from '../secret-box.tsx'
import { useForm } from '../use-form.ts'
import { KeySamples } from './key-samples.tsx'
import { type Offered, ScopeChoice } from './scope-choice.tsx'

/** What the two kinds of key may be given: the service refuses a mixture. */
const offer = (scopes: Offered): Offered =>
  Object.fromEntries((Object.keys(scopes) as Scope[]).map((scope) => [scope, scopeText(scope, everyKind)]))
const OFFERED = { form: offer(FORM_SCOPES), webhooks: offer(WEBHOOK_SCOPES) }

export type KeyPurpose = keyof typeof OFFERED

interface Made {
  name: string
  secret: string
  scopes: readonly string[]
}

/** Makes a key and shows its secret, this once. */
export function NewKey({ purpose, close }: { purpose: KeyPurpose; close: () => void }) {
  const [made, setMade] = useState<Made | null>(null)
  if (!made) return <KeyForm purpose={purpose} made={setMade} close={close} />
  return (
    <SecretBox
      title={words.shown.title(made.name)}
      label={words.shown.secret}
      secret={made.secret}
      close={close}
    >
      <KeySamples {...made} />
    </SecretBox>
  )
}

function KeyForm({
  purpose,
  made,
  close,
}: {
  purpose: KeyPurpose
  made: (key: Made) => void
  close: () => void
}) {
  const call = useGuardedCall()
  const offered: Offered = OFFERED[purpose]
  const { typed, set, form, field, problem, isSending } = useForm({
    initial: {
      name: '',
      expiry: 'never',
      expiresAt: '',
      scopes: purpose === 'webhooks' ? Object.keys(offered).join(' ') : '',
    },
    optional: ['scopes', 'expiresAt'],
    send: async (given) => {
      const { name, secret, scopes } = await call('createApiKey', {
        name: given.name,
        scopes: scopesIn(given.scopes) as Input<'createApiKey'>['scopes'],
        expiresAt: endOf(given),
      })
      await readAgain('listApiKeys')
      made({ name, secret: secret!, scopes })
    },
  })
  const chosen = scopesIn(typed.scopes)
  const isTouched = typed.name !== '' || (purpose === 'form' && chosen.length > 0)
  const { title, text, submit } = words[purpose]
  return (
    <Drawer
      opened
      onClose={close}
      title={title}
      size={purpose === 'form' ? 760 : 520}
      closeOnClickOutside={false}
      closeOnEscape={!isTouched}
    >
      <form {...form}>
        <Stack>
          <Text size="sm" c="dimmed" maw="72ch">
            {text}
          </Text>
          <TextInput
            {...field('name')}
            label={words.name}
            description={words.nameHint}
            autoComplete="off"
            maxLength={100}
            data-autofocus
          />
          <Expiry field={field} isDate={typed.expiry === 'date'} />
          <ScopeChoice
            offered={offered}
            chosen={chosen}
            choose={(scopes) => set('scopes', scopes.join(' '))}
            error={field('scopes').error}
          />
          <ProblemAlert error={problem} />
        </Stack>
        <FormFoot submit={submit} isSending={isSending} cancel={close} isPinned>
          <Text size="sm" c="dimmed" role="status">
            {words.chosen(chosen.length)}
          </Text>
        </FormFoot>
      </form>
    </Drawer>
  )
}

const DAYS = [30, 90, 365]
const DAY = 86_400_000

function Expiry({
  field,
  isDate,
}: {
  field: (name: 'expiry' | 'expiresAt') => { error: string | undefined }
  isDate: boolean
}) {
  const { error, ...date } = field('expiresAt')
  return (
    <Group align="flex-start" grow preventGrowOverflow={false}>
      <NativeSelect
        {...field('expiry')}
        label={words.expiry}
        error={isDate ? undefined : error}
        data={[
          { value: 'never', label: words.expiries.never },
          ...DAYS.map((days) => ({ value: String(days), label: words.expiries.days(days, inDays(days)) })),
          { value: 'date', label: words.expiries.date },
        ]}
      />
      {isDate && (
        <TextInput
          {...date}
          error={error}
          type="date"
          {...DAYS}
          label={words.date}
          description={words.dateHint}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
        />
      )}
    </Group>
  )
}

const inDays = (days: number): Date => new Date(Date.now() + days * DAY)

const scopesIn = (typed: string): string[] => typed.split(' ').filter(Boolean)

function endOf({ expiry, expiresAt }: { expiry: string; expiresAt: string }): string | null {
  if (expiry === 'never') return null
  if (expiry !== 'date') return inDays(Number(expiry)).toISOString()
  const end = endOfDay(expiresAt)
  return Number.isNaN(end.getTime()) ? expiresAt : end.toISOString()
}
