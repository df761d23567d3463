import { NativeSelect } from '@mantine/core'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { type Field, fieldsOf } from '../../client/fields.ts'
import { register } from '../../copy/register.ts'
import styles from './sort-choice.module.css'

const words = register.sort

/** The order of the rows, where they are cards and no head of a column could be clicked. */
export function SortChoice({
  kind,
  columns,
  sort,
  setSort,
}: {
  kind: DescribedKind
  columns: readonly Field[]
  sort: string
  setSort: (sort: string) => void
}) {
  const fields = fieldsOf(kind)
  const chosen = sort.replace('-', '')
  const names = new Set([kind.named, 'reference', ...columns.map(({ name }) => name), 'createdAt', chosen])
  const sortable = kind.sortFields
  const options = [...names]
    .filter((name) => sortable.includes(name))
    .flatMap((name) => {
      const { title } = fields.get(name)!
      return [
        { value: name, label: words.up(title) },
        { value: `-${name}`, label: words.down(title) },
      ]
    })
  return (
    <NativeSelect
      className={styles.choice}
      size="xs"
      aria-label={words.label}
      data={options}
      value={sort}
      onChange={({ currentTarget }) => setSort(currentTarget.value)}
    />
  )
}
