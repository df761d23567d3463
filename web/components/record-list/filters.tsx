import { Button, Group, Menu } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useState } from 'react'
import type { DescribedKind } from '../../../model/described-kind.ts'
import type { AnyRecord } from '../../client/records.ts'
import { records } from '../../copy/records.ts'
import { FilterChip } from './filters/filter-chip.tsx'
import styles from './filters.module.css'
import { filtersOf, namesOf, type View, withFilter, withoutFilter } from './view.ts'

/** The filters that are set, as chips to change or take away, and the way to set another. */
export function Filters({
  kind,
  view,
  rows,
  show,
}: {
  kind: DescribedKind
  view: View
  rows: readonly AnyRecord[]
  show: (view: View) => void
}) {
  const filters = filtersOf(kind)
  const [adding, setAdding] = useState<string | null>(null)
  const shown = filters.filter(
    (one) => one.name === adding || namesOf(one).some((name) => name in view.filters),
  )
  const others = filters.filter((one) => !shown.includes(one))
  return (
    <Group gap={6} className={styles.filters}>
      {shown.map((filter) => (
        <FilterChip
          key={filter.name}
          kind={kind}
          filter={filter}
          view={view}
          rows={rows}
          isNew={filter.name === adding}
          set={(values, name = filter.name) => show(withFilter(view, name, values))}
          remove={() => show(withoutFilter(view, filter))}
          closed={() => setAdding(null)}
        />
      ))}
      {others.length > 0 && (
        <Menu position="bottom-start" shadow="sm" returnFocus={false}>
          <Menu.Target>
            <Button
              variant="subtle"
              color="gray"
              c="var(--mantine-color-text)"
              size="compact-sm"
              leftSection={<IconFilter size={14} aria-hidden />}
            >
              {records.filter}
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
            {others.map(({ name, title }) => (
              <Menu.Item key={name} onClick={() => setAdding(name)}>
                {title}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {Object.keys(view.filters).length > 0 && (
        <Button
          variant="subtle"
          color="gray"
          c="dimmed"
          size="compact-sm"
          onClick={() => show({ ...view, filters: {} })}
        >
          {records.clearFilters}
        </Button>
      )}
    </Group>
  )
}
