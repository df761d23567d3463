import { Checkbox, Drawer, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { capital } from '../../../../model/capital.ts'
import {
  CUSTOM_FIELD_TYPES,
  type CustomChoice,
  type CustomFieldType,
  isChoice,
} from '../../../../model/custom-field.ts'
import type { Input, Output } from '../../../client/calls.ts'
import { everyKind } from '../../../client/kinds.ts'
import { FormFoot } from '../../../components/form-foot.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { useSubmission } from '../../../components/use-submission.ts'
import { customFieldSettings } from '../../../copy/custom-field-settings.ts'
import { registerWords } from '../../../copy/records.ts'
import { ChoicesInput } from './choices-input.tsx'
import { nameFrom } from './name-from.ts'

const words = customFieldSettings.form

type Given = Input<'createCustomField'>
type CustomField = Output<'listCustomFields'>['data'][number]

const FIELDS = ['label', 'name', 'type', 'description', 'choices', 'kinds', 'required'] as const
type Name = (typeof FIELDS)[number]

interface Typed {
  readonly label: string
  readonly name: string
  readonly type: CustomFieldType
  readonly description: string
  readonly choices: readonly CustomChoice[]
  readonly kinds: readonly string[]
  readonly required: boolean
}

const BLANK: Typed = {
  label: '',
  name: '',
  type: 'text',
  description: '',
  choices: [],
  kinds: [],
  required: false,
}

/** A definition, to add or to change. Until somebody types a name, it follows from the label. */
export function CustomFieldForm({
  field,
  send,
  close,
}: {
  /** The one to change. */
  field?: CustomField
  send: (given: Given) => Promise<unknown>
  close: () => void
}) {
  const initial: Typed = field ? { ...BLANK, ...field, description: field.description ?? '' } : BLANK
  const [typed, setTyped] = useState(initial)
  const [isNamed, setIsNamed] = useState(field !== undefined)
  const { wrong, mend, form, problem, isSending } = useSubmission({
    given: typed,
    fields: FIELDS,
    isMissing: (name) => isMissing(typed, name as Name),
    send: (all) => send(givenOf(all)),
  })
  const set = (values: Partial<Typed>) => {
    setTyped((all) => ({ ...all, ...values }))
    for (const name of Object.keys(values)) mend(name)
  }
  const setLabel = (label: string) => set({ label, ...(isNamed ? {} : { name: nameFrom(label) }) })
  const isChanged = JSON.stringify(typed) !== JSON.stringify(initial)
  const leave = () => (!isChanged || window.confirm(words.leave)) && close()
  const common = (name: Name) => ({ name, label: words[name as 'label'], error: wrong[name] })
  return (
    <Drawer opened onClose={leave} size="lg" title={field ? words.editTitle(field.label) : words.addTitle}>
      <form {...form}>
        <Stack>
          <ProblemAlert error={problem} />
          <TextInput
            {...common('label')}
            description={words.labelHint}
            required
            maxLength={80}
            value={typed.label}
            onChange={({ currentTarget }) => setLabel(currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <TextInput
            {...common('name')}
            description={words.nameHint}
            required
            maxLength={60}
            disabled={field !== undefined}
            value={typed.name}
            onChange={({ currentTarget }) => {
              setIsNamed(true)
              set({ name: currentTarget.value })
            }}
            autoComplete="off"
            spellCheck={false}
          />
          <NativeSelect
            {...common('type')}
            description={words.typeHint}
            disabled={field !== undefined}
            value={typed.type}
            onChange={({ currentTarget }) =>
              set({ type: currentTarget.value as CustomFieldType, choices: [] })
            }
            data={CUSTOM_FIELD_TYPES.map((type) => ({ value: type, label: customFieldSettings.types[type] }))}
          />
          {isChoice(typed.type) && (
            <ChoicesInput
              choices={typed.choices}
              known={field?.choices ?? []}
              error={wrong.choices}
              change={(choices) => set({ choices })}
            />
          )}
          <TextInput
            {...common('description')}
            description={words.descriptionHint}
            maxLength={500}
            value={typed.description}
            onChange={({ currentTarget }) => set({ description: currentTarget.value })}
            autoComplete="off"
          />
          <Checkbox.Group
            label={words.kinds}
            description={words.kindsHint}
            error={wrong.kinds}
            withAsterisk
            value={[...typed.kinds]}
            onChange={(kinds) => set({ kinds })}
          >
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing={6} mt={6}>
              {everyKind.map((kind) => (
                <Checkbox key={kind.name} value={kind.name} label={capital(registerWords(kind).many)} />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
          <Checkbox
            {...common('required')}
            description={words.requiredHint}
            checked={typed.required}
            onChange={({ currentTarget }) => set({ required: currentTarget.checked })}
          />
        </Stack>
        <FormFoot submit={field ? words.save : words.add} isSending={isSending} cancel={leave} isPinned />
      </form>
    </Drawer>
  )
}

function isMissing({ label, name, kinds, type, choices }: Typed, field: Name): boolean {
  if (field === 'label') return label.trim() === ''
  if (field === 'name') return name.trim() === ''
  if (field === 'kinds') return kinds.length === 0
  return field === 'choices' && isChoice(type) && labelled(choices).length === 0
}

const labelled = (choices: readonly CustomChoice[]) => choices.filter(({ label }) => label.trim() !== '')

/** A choice is known by a key of its own, made of its label when it is added. */
function givenOf({ label, name, type, description, choices, kinds, required }: Typed): Given {
  const keys = new Set(choices.flatMap(({ key }) => key || []))
  const kept = labelled(choices).map(({ key, label, retired }) => {
    const own = key || keyFor(label, keys)
    keys.add(own)
    return { key: own, label: label.trim(), ...(retired ? { retired } : {}) }
  })
  return {
    ...{ label: label.trim(), name: name.trim(), type, choices: kept, kinds: [...kinds], required },
    description: description.trim() || null,
  } as Given
}

function keyFor(label: string, taken: ReadonlySet<string>): string {
  const plain = label.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const key = plain
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 50)
  const base = key === '' || key === 'none' || key === 'not_set' ? `choice_${key || taken.size + 1}` : key
  for (let more = 1; ; more += 1) {
    const one = more === 1 ? base : `${base}_${more}`
    if (!taken.has(one)) return one
  }
}
