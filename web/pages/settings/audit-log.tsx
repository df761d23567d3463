import { Button, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useAnswer } from '../../client/use-answer.ts'
import { rowsOf, usePages } from '../../client/use-pages.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { MorePages } from '../../parts/more-pages.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { auditLog as words } from '../../words/audit-log.ts'
import { Entries } from './audit-log/entries.tsx'
import { Export } from './audit-log/export.tsx'
import { useFilter } from './audit-log/filter.ts'
import { FilterBar } from './audit-log/filter-bar.tsx'

export function AuditLogPage() {
  const [isExporting, setIsExporting] = useState(false)
  const { filter, input, change, clear } = useFilter()
  const entries = usePages('listAuditLog', input)
  const { data: users } = useAnswer('listUsers', { limit: 200 })
  const people = useMemo(() => new Map(users?.data.map(({ id, name }) => [id, name])), [users])
  const actions = [...new Set(entries.data && rowsOf(entries.data).map(({ action }) => action))].sort()
  return (
    <Stack gap="md" maw={1240}>
      <PageHead
        title={words.title}
        text={words.text}
        action={
          <Button variant="default" onClick={() => setIsExporting(true)}>
            {words.export.open}
          </Button>
        }
      />
      <FilterBar filter={filter} change={change} clear={clear} people={people} actions={actions} />
      <Loaded query={entries} lines={10}>
        {(pages) => {
          const rows = rowsOf(pages)
          if (rows.length > 0) return <Entries entries={rows} people={people} only={change} />
          return (
            <Text size="sm" c="dimmed">
              {Object.keys(filter).length > 0 ? words.emptyFiltered : words.empty}
            </Text>
          )
        }}
      </Loaded>
      <MorePages of={entries} />
      {isExporting && <Export input={input} close={() => setIsExporting(false)} />}
    </Stack>
  )
}
