import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  NativeSelect,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import type { ORGANIZATION_FIELDS } from '../../../model/organization.ts'
import type { Output } from '../../client/calls.ts'
import { type Field, organizationFields, organizationSettings } from '../../client/fields.ts'
import { queries } from '../../client/queries.ts'
import { readAgain, useAnswer } from '../../client/use-answer.ts'
import { CopyableText } from '../../components/copyable-text.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { PlaceInput } from '../../components/place-input.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { useForm } from '../../components/use-form.ts'
import { organization as words } from '../../copy/organization.ts'
import { organizationAlwaysSet } from '../../kinds/shared-fields.ts'
import { FindingSla } from './organization/finding-sla.tsx'
import { SelfApproval } from './organization/self-approval.tsx'
import { ZoneChange } from './organization/zone-change.tsx'

type Organization = Output<'getOrganization'>
type Name = keyof typeof ORGANIZATION_FIELDS

const FIELDS = organizationFields as Readonly<Record<Name, Field>>
const NAMES = Object.keys(FIELDS) as Name[]
const FEATURES = organizationSettings.features!.parts
const ALWAYS_SET: ReadonlySet<string> = new Set(organizationAlwaysSet)

export function OrganizationPage() {
  const organization = useAnswer('getOrganization', {})
  return (
    <Stack gap="lg">
      <PageHead title={words.title} text={words.text} />
      <Loaded query={organization} lines={8}>
        {(data) => (
          <>
            <Form organization={data} />
            <FindingSla organization={data} />
            <SelfApproval />
          </>
        )}
      </Loaded>
    </Stack>
  )
}

function Form({ organization }: { organization: Organization }) {
  const call = useGuardedCall()
  const [base, setBase] = useState(organization)
  const [features, setFeatures] = useState(organization.features)
  const [isSaved, setIsSaved] = useState(false)
  const { form, field, typed, set, problem, isSending } = useForm({
    initial: typedOf(organization),
    optional: NAMES.filter((name) => !ALWAYS_SET.has(name)),
    send: async (typed) => {
      const given = trimmed(typed)
      const after = await call('updateOrganization', {
        ifMatch: organization.version,
        ...moved(typedOf(base), given, (value) => value || null),
        features: moved(base.features, features),
      })
      queries.setQueryData(['getOrganization', {}], after)
      setIsSaved(true)
      await readAgain('getSession')
    },
  })

  // It was read again: what was not touched here follows, and what was typed stays.
  if (organization.version !== base.version) {
    const now = typedOf(organization)
    for (const name of NAMES) if (typed[name] === typedOf(base)[name]) set(name, now[name])
    setFeatures({ ...organization.features, ...moved(base.features, features) })
    setBase(organization)
  }
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }}>
      <form {...form} onChange={() => setIsSaved(false)}>
        <Stack gap="lg">
          <ProblemAlert error={problem} />
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
            {NAMES.map((name) =>
              name === 'size' ? (
                <NativeSelect
                  key={name}
                  label={titleOf(name)}
                  description={words.hints[name]}
                  value={typed[name]}
                  onChange={({ currentTarget }) => set(name, currentTarget.value)}
                  data={SIZES}
                />
              ) : FIELDS[name].place ? (
                <PlaceInput
                  key={name}
                  place={FIELDS[name].place!}
                  label={titleOf(name)}
                  description={words.hints[name]}
                  error={field(name).error}
                  fixed={ALWAYS_SET.has(name)}
                  value={typed[name] || null}
                  change={(code) => {
                    set(name, code ?? '')
                    setIsSaved(false)
                  }}
                />
              ) : (
                <TextInput
                  key={name}
                  {...field(name)}
                  label={titleOf(name)}
                  description={words.hints[name]}
                />
              ),
            )}
          </SimpleGrid>
          <Fieldset variant="unstyled" legend={words.features}>
            {FEATURES.map(({ name, title, description }) => (
              <Checkbox
                key={name}
                label={title}
                description={description}
                checked={features[name] ?? false}
                onChange={({ currentTarget: { checked } }) =>
                  setFeatures((all) => ({ ...all, [name]: checked }))
                }
              />
            ))}
          </Fieldset>
          {typed.timezone && typed.timezone !== typedOf(base).timezone && (
            <ZoneChange timezone={typed.timezone} />
          )}
          <Group justify="space-between">
            <Text size="xs" c="dimmed">
              {words.id} <CopyableText>{organization.id}</CopyableText>
            </Text>
            <Group gap="sm">
              <Text size="sm" c="dimmed" role="status">
                {isSaved && words.saved}
              </Text>
              <Button type="submit" loading={isSending}>
                {words.submit}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Paper>
  )
}

const SIZES = [
  { value: '', label: words.unset },
  ...FIELDS.size.options.map((size) => ({ value: size, label: words.sizes[size] ?? size })),
]

const titleOf = (name: Name): string => FIELDS[name].title

const typedOf = (organization: Organization) =>
  Object.fromEntries(
    NAMES.map((name) => [name, ((organization as Record<string, unknown>)[name] as string | null) ?? '']),
  ) as Record<Name, string>

const trimmed = (typed: Record<Name, string>) =>
  Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, value.trim()]))

/** What differs from how it was. */
function moved<Value, Sent = Value>(
  before: Readonly<Record<string, Value>>,
  after: Readonly<Record<string, Value>>,
  sent: (value: Value) => Sent = (value) => value as never,
): Record<string, Sent> {
  const names = Object.keys(after).filter((name) => after[name] !== before[name])
  return Object.fromEntries(names.map((name) => [name, sent(after[name]!)]))
}
