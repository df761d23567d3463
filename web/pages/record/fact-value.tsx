import { Badge, Group } from '@mantine/core'
import { kinds } from '../../../kinds/index.ts'
import type { Kind, Values } from '../../../kinds/kind.ts'
import type { Field } from '../../client/fields.ts'
import type { Principal } from '../../client/records.ts'
import { PrincipalMark } from '../../parts/principal-mark.tsx'
import { RecordLink } from '../../parts/record-link.tsx'
import { RecordValue } from '../../parts/record-value.tsx'
import { records } from '../../words/records.ts'
import { NameOfId } from './name-of-id.tsx'
import styles from './record.module.css'

/** The value of a field with room for all of it: texts as they were laid out, links to what it points at. */
export function FactValue({ kind, field, record }: { kind: Kind; field: Field; record: Values }) {
  const value = record[field.name]
  if (value === null || value === undefined || value === '')
    return (
      <span className={styles.none}>{field.form === 'principal' ? records.nobody : records.noValue}</span>
    )
  switch (field.form) {
    case 'line':
    case 'text':
      return <bdi className={styles.text}>{String(value)}</bdi>
    case 'principal':
      return <PrincipalLink principal={value as Principal} />
    case 'record':
      return <NameOfId id={String(value)} />
    case 'words':
      return (value as string[]).length === 0 ? (
        <span className={styles.none}>{records.noValue}</span>
      ) : (
        <Group gap={4} component="span">
          {(value as string[]).map((word) => (
            <Badge key={word} fw={400}>
              {word}
            </Badge>
          ))}
        </Group>
      )
    case 'object':
      return <Pairs titles={new Map(field.parts.map(({ name, title }) => [name, title]))} value={value} />
    case 'other':
      return <Pairs titles={new Map()} value={value} />
    default:
      return <RecordValue kind={kind} field={field} record={record} />
  }
}

export function PrincipalLink({ principal }: { principal: Principal }) {
  if (principal.type === 'user') return <PrincipalMark principal={principal} />
  return (
    <RecordLink kind={kinds.personnel} id={principal.refId}>
      <PrincipalMark principal={principal} />
    </RecordLink>
  )
}

function Pairs({ titles, value }: { titles: ReadonlyMap<string, string>; value: unknown }) {
  const pairs = Object.entries(value as Values)
  if (pairs.length === 0) return <span className={styles.none}>{records.noValue}</span>
  return (
    <dl className={styles.pairs}>
      {pairs.map(([name, one]) => (
        <div key={name}>
          <dt>{titles.get(name) ?? <bdi>{name}</bdi>}</dt>
          <dd>{typeof one === 'number' ? number.format(one) : <bdi>{textOf(one)}</bdi>}</dd>
        </div>
      ))}
    </dl>
  )
}

const number = new Intl.NumberFormat()

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
