import { Stack } from '@mantine/core'
import { lazy } from 'react'
import type { Values } from '../../model/complaint.ts'
import { partsShown } from '../../model/described-field.ts'
import type { DescribedKind } from '../../model/described-kind.ts'
import { fetchCode } from '../client/fetch-code.ts'
import type { Field } from '../client/fields.ts'
import { kindIndex } from '../client/kinds.ts'
import { placeName } from '../client/place-name.ts'
import type { Principal } from '../client/records.ts'
import { actorName } from '../copy/journal.ts'
import { fits } from './fits.ts'
import { NameOfId } from './name-of-id.tsx'
import { type Pair, Pairs, PlainValue, Words } from './plain-value.tsx'
import { PrincipalMark } from './principal-mark.tsx'
import { RecordLink } from './record-link.tsx'
import { RecordValue } from './record-value.tsx'
import { WebLink } from './web-link.tsx'
import { withMoney } from './with-money.ts'

/**
 * The value of a field with room for all of it: texts as they were laid out, links to what it points at.
 * @param kind none where it is no record of one
 */
export function FactValue({
  kind,
  field,
  record,
}: {
  kind: DescribedKind | undefined
  field: Field
  record: Values
}) {
  const value = record[field.name]
  if (value === null || value === undefined || value === '')
    return field.form === 'principal' ? (
      <RecordValue kind={kind} field={field} record={record} />
    ) : (
      <PlainValue value={null} />
    )
  switch (field.form) {
    case 'line':
      if (field.itemOf || field.labels) return <RecordValue kind={kind} field={field} record={record} />
      return <PlainValue value={value} />
    case 'text':
    case 'pairs':
    case 'other':
      return <PlainValue value={value} />
    case 'url':
      return <WebLink url={String(value)} />
    case 'principal':
      return <PrincipalLink principal={value as Principal} />
    case 'record':
      return <NameOfId id={String(value)} />
    case 'words':
      if (field.target) return <RecordValue kind={kind} field={field} record={record} />
      return field.isByLine ? (
        <Lines lines={value as string[]} />
      ) : (
        <Words
          words={(value as string[]).map((word) => (field.place ? placeName(field.place, word) : word))}
        />
      )
    case 'object':
      if (field.colours) return <RecordValue kind={kind} field={field} record={record} />
      return <ObjectValue field={field} value={value} />
    case 'objects':
      if (field.ticks) return <Steps field={field} items={value as Values[]} />
      return <ObjectValues field={field} values={value as object[]} />
    default:
      return <RecordValue kind={kind} field={field} record={record} />
  }
}

function PrincipalLink({ principal }: { principal: Principal }) {
  if (principal.type === 'user') return <PrincipalMark principal={principal} />
  return (
    <RecordLink kind={kindIndex.personnel} id={principal.refId}>
      <PrincipalMark principal={principal} />
    </RecordLink>
  )
}

/** Of those kinds that have steps. */
export const Steps = lazy(() =>
  fetchCode(() => import('./steps.tsx')).then((code) => ({ default: code.Steps })),
)

/** Sentences, one below the other. */
function Lines({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return <PlainValue value={null} />
  return (
    <ul style={{ margin: 0, paddingInlineStart: '1.25rem' }}>
      {lines.map((line) => (
        <li key={line}>
          <PlainValue value={line} />
        </li>
      ))}
    </ul>
  )
}

function ObjectValue({ field, value }: { field: Field; value: object }) {
  if ('displayName' in value) return <bdi>{actorName(value as Parameters<typeof actorName>[0])}</bdi>
  return <Pairs pairs={partsOf(field, value)} />
}

/** Several of the same make, one below the other. */
function ObjectValues({ field, values }: { field: Field; values: readonly object[] }) {
  if (values.length === 0) return <PlainValue value={null} />
  return (
    <Stack gap="xs">
      {values.map((value, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no other name
        <Pairs key={place} pairs={partsOf(field, value)} />
      ))}
    </Stack>
  )
}

/** The parts of an object in the order of its fields, each as its field is read; what has no field stands behind. */
function partsOf(field: Field, value: object): Pair[] {
  const values = withMoney(field, value)
  const known = partsShown(field).filter(({ name }) => name in values)
  const others = Object.keys(values).filter((name) => !field.parts.some((part) => part.name === name))
  return [
    ...known.map((part): Pair => [part.name, part.title, partValue(part, values)]),
    ...others.map(
      (name): Pair => [name, <bdi key={name}>{name}</bdi>, <PlainValue key={name} value={values[name]} />],
    ),
  ]
}

/** An amount is written in its currency by now. */
const partValue = (part: Field, values: Values) =>
  part.isMoney || part.place === 'currency' || !fits(part.form, values[part.name]) ? (
    <PlainValue value={values[part.name]} />
  ) : (
    <FactValue kind={undefined} field={part} record={values} />
  )
