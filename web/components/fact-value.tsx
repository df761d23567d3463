import type { Values } from '../../model/complaint.ts'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import type { Field } from '../client/fields.ts'
import type { Principal } from '../client/records.ts'
import { actorName } from '../copy/journal.ts'
import { NameOfId } from './name-of-id.tsx'
import { Pairs, PlainValue, Words } from './plain-value.tsx'
import { PrincipalMark } from './principal-mark.tsx'
import { RecordLink } from './record-link.tsx'
import { RecordValue } from './record-value.tsx'
import { withMoney } from './with-money.ts'

/**
 * The value of a field with room for all of it: texts as they were laid out, links to what it points at.
 * @param kind none where it is no record of one
 */
export function FactValue({ kind, field, record }: { kind: Kind | undefined; field: Field; record: Values }) {
  const value = record[field.name]
  if (value === null || value === undefined || value === '')
    return field.form === 'principal' ? (
      <RecordValue kind={kind} field={field} record={record} />
    ) : (
      <PlainValue value={null} />
    )
  switch (field.form) {
    case 'line':
    case 'text':
    case 'pairs':
    case 'other':
      return <PlainValue value={value} />
    case 'principal':
      return <PrincipalLink principal={value as Principal} />
    case 'record':
      return <NameOfId id={String(value)} />
    case 'words':
      return <Words words={value as string[]} />
    case 'object':
      return <ObjectValue field={field} value={value} />
    default:
      return <RecordValue kind={kind} field={field} record={record} />
  }
}

function PrincipalLink({ principal }: { principal: Principal }) {
  if (principal.type === 'user') return <PrincipalMark principal={principal} />
  return (
    <RecordLink kind={kinds.personnel} id={principal.refId}>
      <PrincipalMark principal={principal} />
    </RecordLink>
  )
}

function ObjectValue({ field, value }: { field: Field; value: object }) {
  if ('displayName' in value) return <bdi>{actorName(value as Parameters<typeof actorName>[0])}</bdi>
  const titles = new Map(field.parts.map(({ name, title }) => [name, title]))
  return <Pairs titles={titles} value={withMoney(field, value)} />
}
