import type { Values } from '../../../model/complaint.ts'
import type { Field } from '../../client/fields.ts'
import styles from '../changes.module.css'
import { PlainValue } from '../plain-value.tsx'
import { FromTo } from './from-to.tsx'

/** Of names with values those that have another value now. */
export function ObjectChange({ from, to, field }: { from: Values; to: Values; field: Field | undefined }) {
  const titles = new Map(field?.parts.map(({ name, title }) => [name, title]))
  const moved = [...new Set([...Object.keys(from), ...Object.keys(to)])].filter(
    (name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]),
  )
  return (
    <dl className={styles.moved}>
      {moved.map((name) => (
        <div key={name}>
          <dt>{titles.get(name) ?? <bdi>{name}</bdi>}</dt>
          <dd>
            <FromTo from={<PlainValue value={from[name]} />} to={<PlainValue value={to[name]} />} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
