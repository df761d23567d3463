import { lazy, Suspense } from 'react'
import type { Values } from '../../model/complaint.ts'
import { partsShown } from '../../model/described-field.ts'
import type { DescribedKind } from '../../model/described-kind.ts'
import { isTerminal, machineOf } from '../../model/roles.ts'
import { fetchCode } from '../client/fetch-code.ts'
import type { Field } from '../client/fields.ts'
import { writtenNumber } from '../client/formats.ts'
import { placeName } from '../client/place-name.ts'
import type { Principal } from '../client/records.ts'
import { scaleOf } from '../client/risk-matrix.ts'
import { optionOf, records } from '../copy/records.ts'
import { percentWord } from '../copy/shares.ts'
import { Day, writtenDay } from './day.tsx'
import { isLate, isPending, isToldAsNear } from './is-late.ts'
import { LevelMark } from './level-mark.tsx'
import { Age, DatedMoment, Moment } from './moment.tsx'
import { NameOfId } from './name-of-id.tsx'
import { PrincipalMark } from './principal-mark.tsx'
import styles from './record-value.module.css'
import { StateMark } from './state-mark.tsx'
import { ticked } from './ticked.ts'
import { withMoney } from './with-money.ts'

/** Of the few fields that have colours of their own. */
const ColouredValue = lazy(() =>
  fetchCode(() => import('./coloured-value.tsx')).then((code) => ({ default: code.ColouredValue })),
)

/** The same, of what another record lists. */
const ItemValue = lazy(() =>
  fetchCode(() => import('./item-value.tsx')).then((code) => ({ default: code.ItemValue })),
)

/** The value of a field as people read it. */
export function RecordValue({
  kind,
  field,
  record,
}: {
  kind: DescribedKind | undefined
  field: Field
  record: Values
}) {
  const value = record[field.name]
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0))
    return <span className={styles.none}>{field.form === 'principal' ? records.nobody : records.none}</span>
  if (field.colours)
    return (
      <Suspense>
        <ColouredValue field={field} value={value} />
      </Suspense>
    )
  switch (field.form) {
    case 'choice':
      if (kind && machineOf(kind, field.name))
        return <StateMark kind={kind} field={field.name} state={String(value)} record={record} />
      return field.isLevel ? (
        <LevelMark level={String(value)} levels={scaleOf(field)} />
      ) : (
        optionOf(field, String(value))
      )
    case 'choices':
      return (value as string[]).map((one) => optionOf(field, one)).join(', ')
    case 'words':
      if (field.target) return (value as string[]).map((id) => <NamedId key={id} id={id} />)
      return (value as string[])
        .map((word) => (field.place ? placeName(field.place, word) : word))
        .join(field.isByLine ? '; ' : ', ')
    case 'principal':
      return <PrincipalMark principal={value as Principal} />
    case 'day':
    case 'instant': {
      if (kind && field.name === kind.agesFrom && !isTerminal(kind, record))
        return <Age from={String(value)} />
      const time =
        field.form === 'instant' ? (
          <Instant kind={kind} field={field} at={String(value)} />
        ) : field.isDeadline && isPending(kind, field, record) ? (
          <Day on={String(value)} />
        ) : (
          // How near it is matters of what has to be done by it alone.
          writtenDay(String(value))
        )
      return isLate(kind, field, record) ? <span className={styles.late}>{time}</span> : time
    }
    case 'flag':
      return value ? records.yes : records.no
    case 'object':
    case 'pairs':
    case 'other':
      return <ObjectValue field={field} value={value} />
    case 'objects':
      if (field.ticks) return records.steps(...ticked(field, value as Values[]))
      return (value as Values[])
        .map((one) => String(one[partsShown(field)[0]!.name] ?? records.none))
        .join(', ')
    case 'record':
      return <NameOfId id={String(value)} />
    case 'place':
      return placeName(field.place!, String(value))
    case 'number':
      if (field.isPercent) return percentWord(Number(value))
      return typeof value === 'number' ? writtenNumber(value) : String(value)
    default:
      if (field.itemOf)
        return (
          <Suspense fallback={String(value)}>
            <ItemValue field={field} record={record} />
          </Suspense>
        )
      return field.labels?.[String(value)] ?? String(value)
  }
}

const Instant = ({ kind, field, at }: { kind: DescribedKind | undefined; field: Field; at: string }) =>
  isToldAsNear(kind, field) ? <Moment at={at} /> : <DatedMoment at={at} />

const NamedId = ({ id }: { id: string }) => (
  <div>
    <NameOfId id={id} />
  </div>
)

function ObjectValue({ field, value }: { field: Field; value: unknown }) {
  if (typeof value !== 'object' || value === null) return String(value)
  const { displayName } = value as { displayName?: string }
  if (displayName) return displayName
  const titles = new Map(field.parts.map(({ name, title }) => [name, title]))
  return Object.entries(withMoney(field, value))
    .map(
      ([name, one]) => `${titles.get(name) ?? name}: ${typeof one === 'object' ? JSON.stringify(one) : one}`,
    )
    .join(' · ')
}
