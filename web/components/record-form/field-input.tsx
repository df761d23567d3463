import { Checkbox, NativeSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { type ChangeEvent, lazy, Suspense, useState } from 'react'
import type { Values } from '../../../model/complaint.ts'
import { partsShown } from '../../../model/described-field.ts'
import { fetchCode } from '../../client/fetch-code.ts'
import type { Field } from '../../client/fields.ts'
import type { Principal } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { unreadable } from '../../copy/problems.ts'
import { optionOf, records } from '../../copy/records.ts'
import { InstantInput } from '../instant-input.tsx'
import { people, principalOf, sourceOf } from '../picker.tsx'
import { PlaceInput } from '../place-input.tsx'
import { PrincipalMark } from '../principal-mark.tsx'
import { DAYS } from '../unreadable-input.ts'
import { FieldGroup } from './field-group.tsx'
import { PickInput } from './pick-input.tsx'

const ObjectsInput = lazy(() =>
  fetchCode(() => import('./objects-input.tsx')).then((code) => ({ default: code.ObjectsInput })),
)

const IdsInput = lazy(() =>
  fetchCode(() => import('./ids-input.tsx')).then((code) => ({ default: code.IdsInput })),
)

const PairsInput = lazy(() =>
  fetchCode(() => import('./pairs-input.tsx')).then((code) => ({ default: code.PairsInput })),
)

const ItemInput = lazy(() =>
  fetchCode(() => import('./item-input.tsx')).then((code) => ({ default: code.ItemInput })),
)

interface Given {
  field: Field
  value: unknown
  change: (value: unknown) => void
  error?: string | undefined
  required?: boolean
  /** Cannot be without a value. */
  fixed?: boolean
  autoFocus?: boolean
}

/** The input of a field, by what the kind says of it. What is empty is null. */
export function FieldInput(given: Given) {
  const { field, value, change, error, required = false, fixed = false, autoFocus = false } = given
  const common = {
    label: field.title,
    description: field.description,
    error,
    required,
    withAsterisk: required,
    name: field.name,
    autoFocus,
    ...(autoFocus ? { 'data-autofocus': true } : {}),
  }
  switch (field.form) {
    case 'text':
      return (
        <Textarea
          {...common}
          rows={3}
          resize="vertical"
          value={textOf(value)}
          onChange={({ currentTarget }) => change(currentTarget.value || null)}
        />
      )
    case 'url':
      return (
        <TextInput
          {...common}
          type="url"
          value={textOf(value)}
          onChange={({ currentTarget }) => change(currentTarget.value || null)}
        />
      )
    case 'choice':
      return (
        <NativeSelect
          {...common}
          value={textOf(value)}
          onChange={({ currentTarget }) => change(currentTarget.value || null)}
          data={[
            ...(fixed && value
              ? []
              : [{ value: '', label: required ? records.form.choose : records.noValue }]),
            ...offeredIn(field, value).map((option) => ({ value: option, label: optionOf(field, option) })),
          ]}
        />
      )
    case 'choices':
      return <Choices {...given} />
    case 'flag':
      return required ? (
        <YesOrNo {...given} common={common} />
      ) : (
        <Checkbox
          label={field.title}
          description={field.description}
          error={error}
          name={field.name}
          checked={value === true}
          onChange={({ currentTarget }) => change(currentTarget.checked)}
        />
      )
    case 'number':
      return (
        <TextInput
          {...common}
          inputMode="decimal"
          value={textOf(value)}
          onChange={({ currentTarget }) => {
            const number = numberOf(currentTarget.value)
            currentTarget.setCustomValidity(typeof number === 'string' ? unreadable.number : '')
            change(number)
          }}
        />
      )
    case 'day':
      return (
        <TextInput
          {...common}
          type="date"
          {...DAYS}
          value={textOf(value)}
          onChange={({ currentTarget }) => change(currentTarget.value || null)}
        />
      )
    case 'instant':
      return (
        <InstantInput
          {...common}
          isUntil={field.isDeadline}
          value={(value as string | null) ?? null}
          change={change}
        />
      )
    case 'words':
      return field.target ? (
        <Suspense>
          <IdsInput {...given} />
        </Suspense>
      ) : (
        <Words {...given} />
      )
    case 'principal':
      return <PrincipalInput {...given} />
    case 'record':
      return <RecordInput {...given} target={field.target!} />
    case 'place':
      return (
        <PlaceInput
          {...common}
          place={field.place!}
          fixed={fixed}
          value={(value as string | null) ?? null}
          change={change}
        />
      )
    case 'object':
      return <Parts {...given} />
    case 'pairs':
      return (
        <Suspense>
          <PairsInput {...given} />
        </Suspense>
      )
    case 'objects':
      return (
        <Suspense>
          <ObjectsInput {...given} Part={FieldInput} />
        </Suspense>
      )
    case 'itemId':
    case 'other':
      return null
    default:
      if (field.itemOf)
        return (
          <Suspense>
            <ItemInput field={field} value={value} change={change} error={error} />
          </Suspense>
        )
      return (
        <TextInput
          {...common}
          value={textOf(value)}
          onChange={({ currentTarget }) => change(currentTarget.value || null)}
        />
      )
  }
}

/** What can be chosen, and what was before it was retired. */
const offeredIn = ({ options, retired = [] }: Field, value: unknown): readonly string[] =>
  options.filter((option) => !retired.includes(option) || [value].flat().includes(option))

/** An unmarked box is no answer: where one is asked for, both are there to be chosen. */
function YesOrNo({ value, change, common }: Given & { common: object }) {
  return (
    <NativeSelect
      {...common}
      value={value === true ? 'true' : value === false ? 'false' : ''}
      onChange={({ currentTarget }) =>
        change(currentTarget.value === '' ? null : currentTarget.value === 'true')
      }
      data={[
        ...(typeof value === 'boolean' ? [] : [{ value: '', label: records.form.choose }]),
        { value: 'true', label: records.yes },
        { value: 'false', label: records.no },
      ]}
    />
  )
}

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

/** What is no number stays as it was typed, and is not sent. */
function numberOf(typed: string): string | number | null {
  if (typed.trim() === '') return null
  return /^-?\d+(\.\d+)?$/.test(typed.trim()) ? Number(typed) : typed
}

/** What a field means, with how it is typed. */
const sentences = (description: string | undefined, how: string): string =>
  description ? `${description}. ${how}` : how

function Choices({ field, value, change, error, required = false }: Given) {
  const chosen = (value as string[] | null) ?? []
  return (
    <Checkbox.Group
      label={field.title}
      description={field.description}
      error={error}
      withAsterisk={required}
      value={chosen}
      onChange={(values) => change(values.length > 0 ? values : null)}
    >
      <SimpleGrid cols={2} spacing="xs" verticalSpacing={6} mt={6}>
        {offeredIn(field, value).map((option) => (
          <Checkbox key={option} value={option} label={optionOf(field, option)} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  )
}

/** Several in a line, with commas between them; where one of them has a comma itself, each in a line of its own. */
function Words({ field, value, change, error, required = false, autoFocus = false }: Given) {
  const [isByLine] = useState(
    () => field.isByLine || ((value as string[] | null) ?? []).some((word) => word.includes(',')),
  )
  const [typed, setTyped] = useState(() => ((value as string[] | null) ?? []).join(isByLine ? '\n' : ', '))
  const common = {
    label: field.title,
    description: sentences(field.description, isByLine ? records.form.lines : records.form.several),
    error,
    required,
    withAsterisk: required,
    ...(autoFocus ? { autoFocus, 'data-autofocus': true } : {}),
    name: field.name,
    value: typed,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      setTyped(currentTarget.value)
      const words = currentTarget.value.split(isByLine ? '\n' : ',').flatMap((word) => word.trim() || [])
      change(words.length > 0 ? words : null)
    },
  }
  return isByLine ? <Textarea {...common} rows={3} resize="vertical" /> : <TextInput {...common} />
}

function PrincipalInput({ field, value, change, error, required }: Given) {
  const principal = value as Principal | null | undefined
  const { person } = useSignedIn()
  return (
    <PickInput
      {...{ field, error, required }}
      chosen={principal && <PrincipalMark principal={principal} />}
      empty={records.nobody}
      picker={{
        source: people(field, undefined, field.byAnother ? person.id : undefined),
        nothing: required ? undefined : records.nobody,
        placeholder: records.owner.search,
        choose: (found) => change(found && principalOf(found)),
      }}
    />
  )
}

/** What was chosen here is called by its name; what came with the record, by its id. */
function RecordInput({ field, value, change, error, required, target }: Given & { target: string }) {
  const [named, setNamed] = useState<{ id: string; name: string } | null>(null)
  return (
    <PickInput
      {...{ field, error, required }}
      chosen={value ? (named?.id === value ? named.name : String(value)) : null}
      empty={records.form.choose}
      picker={{
        source: sourceOf(target),
        nothing: required ? undefined : records.noValue,
        choose: (found) => {
          setNamed(found)
          change(found?.id ?? null)
        },
      }}
    />
  )
}

function Parts({ field, value, change, error, required = false }: Given) {
  const { organization } = useSignedIn()
  const values = (value as Values | null) ?? {}
  const currency = field.parts.find(({ place }) => place === 'currency')
  /** Amounts are in its currency, until one says otherwise. */
  const ofOrganization = currency ? { [currency.name]: organization.currency } : {}
  const set = (name: string, part: unknown) => {
    const { [name]: _before, ...others } = values
    const all = part === null ? others : { ...ofOrganization, ...others, [name]: part }
    change(Object.keys(all).length > 0 ? all : null)
  }
  return (
    <FieldGroup field={field} description={field.description} error={error} required={required}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {partsShown(field).map((part) => (
          <FieldInput
            key={part.name}
            field={part}
            value={values[part.name] ?? null}
            change={(one) => set(part.name, one)}
          />
        ))}
      </SimpleGrid>
    </FieldGroup>
  )
}
