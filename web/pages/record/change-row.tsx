import { Anchor, VisuallyHidden } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useState } from 'react'
import type { Kind } from '../../../kinds/kind.ts'
import { type Field, fieldsOf } from '../../client/fields.ts'
import { record as words } from '../../words/record.ts'
import { records } from '../../words/records.ts'
import { FactValue } from './fact-value.tsx'
import { NameOfId } from './name-of-id.tsx'
import styles from './record.module.css'

/** A field that changed: from what, to what. */
export function ChangeRow({
  kind,
  name,
  from,
  to,
}: {
  kind: Kind
  name: string
  from: unknown
  to: unknown
}) {
  const [isWhole, setIsWhole] = useState(false)
  const fields = fieldsOf(kind)
  // The journal tells a principal by its id alone.
  const field = fields.get(name) ?? fields.get(name.replace(/Id$/, ''))
  const isLong = [from, to].some((one) => JSON.stringify(one ?? null).length > LONG)
  return (
    <div data-long={isLong || undefined} data-whole={isWhole || undefined}>
      <dt>{field?.title ?? name}</dt>
      <dd>
        <span className={styles.from}>
          <VisuallyHidden>{words.history.from} </VisuallyHidden>
          <Told kind={kind} field={field} value={from} />
        </span>
        <IconArrowRight size={13} aria-hidden className={styles.arrow} />
        <span className={styles.to}>
          <VisuallyHidden> {words.history.to} </VisuallyHidden>
          <Told kind={kind} field={field} value={to} />
        </span>
        {isLong && (
          <Anchor component="button" type="button" size="xs" onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? words.lessText : words.wholeText}
          </Anchor>
        )}
      </dd>
    </div>
  )
}

const LONG = 160

function Told({ kind, field, value }: { kind: Kind; field: Field | undefined; value: unknown }) {
  if (!field || (field.form === 'principal' && typeof value === 'string'))
    return value === null || value === undefined ? (
      <span className={styles.none}>{records.noValue}</span>
    ) : typeof value === 'string' ? (
      <NameOfId id={value} />
    ) : (
      <bdi>{JSON.stringify(value)}</bdi>
    )
  return <FactValue kind={kind} field={field} record={{ [field.name]: value }} />
}
