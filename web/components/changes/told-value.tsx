import type { Field } from '../../client/fields.ts'
import { kindOf } from '../../client/journal.ts'
import { useKind } from '../../client/use-kind.ts'
import { organization } from '../../copy/organization.ts'
import { valueWord } from '../../copy/records.ts'
import { Day } from '../day.tsx'
import { FactValue } from '../fact-value.tsx'
import { fits, isTime } from '../fits.ts'
import { Moment } from '../moment.tsx'
import { NameOfId } from '../name-of-id.tsx'
import { PlainValue } from '../plain-value.tsx'
import { areIds, isId, NamesOfIds } from './names-of-ids.tsx'

/** One side of a change: as its field is read, or by what it looks like. */
export function ToldValue({
  type,
  name,
  field,
  value,
}: {
  type: string
  name: string
  field: Field | undefined
  value: unknown
}) {
  const kind = useKind(kindOf(type))
  if (areIds(value)) return <NamesOfIds ids={value} />
  const size = type === 'organization' && name === 'size' && organization.sizes[String(value)]
  if (size) return size
  if (field && fits(field.form, value)) {
    if (value && field.form === 'instant') return <Moment at={String(value)} />
    // In a list of what is due it would be late; here it is what was set.
    if (value && field.form === 'day') return <Day on={String(value)} />
    if (field.form === 'principal' && typeof value === 'string') return <NameOfId id={value} />
    return <FactValue kind={kind} field={field} record={{ [field.name]: value }} />
  }
  if (typeof value === 'string') {
    if (CHOSEN.has(name)) return valueWord(value)
    if (INSTANT.test(value) && isTime(value)) return <Moment at={value} isExact />
    if (isId(value)) return <NameOfId id={value} />
  }
  return <PlainValue value={value} />
}

/** Fields of what is no kind's record, whose values are words of the service. */
const CHOSEN: ReadonlySet<string> = new Set(['role', 'status', 'disabledReason'])
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
