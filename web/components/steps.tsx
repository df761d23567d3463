import { Checkbox, Text } from '@mantine/core'
import type { Values } from '../../model/complaint.ts'
import { partsShown } from '../../model/described-field.ts'
import type { Field } from '../client/fields.ts'
import { records } from '../copy/records.ts'
import { PlainValue } from './plain-value.tsx'
import styles from './steps.module.css'
import { ticked } from './ticked.ts'

/**
 * Steps, each of them ticked or not, and how many are.
 * @param change is given all of them once one is ticked; absent where they are only read
 */
export function Steps({
  field,
  items,
  change,
}: {
  field: Field
  items: readonly Values[]
  change?: (items: readonly Values[]) => void
}) {
  if (items.length === 0) return <PlainValue value={null} />
  const tick = field.ticks!
  const [first] = partsShown(field).filter(({ name }) => name !== tick)
  const toggle = (at: number) => {
    const step = { ...items[at], [tick]: items[at]![tick] !== true }
    change?.(items.map((item, index) => (index === at ? step : item)))
  }
  return (
    <div className={styles.steps}>
      <Text span size="xs" c="dimmed">
        {records.steps(...ticked(field, items))}
      </Text>
      <ul aria-label={field.title}>
        {items.map((item, at) => (
          <li key={String(item.id ?? at)}>
            <Checkbox
              size="xs"
              checked={item[tick] === true}
              disabled={!change}
              onChange={() => toggle(at)}
              label={<bdi>{String(item[first!.name])}</bdi>}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}
