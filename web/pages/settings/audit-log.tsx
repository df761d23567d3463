import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { rowsOf, usePages } from '../../client/use-pages.ts'
import { Loaded } from '../../components/loaded.tsx'
import { MorePages } from '../../components/more-pages.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { auditLog as words } from '../../copy/audit-log.ts'
import { Entries } from './audit-log/entries.tsx'
import { Export, type ExportFormat } from './audit-log/export.tsx'
import { type Filter, unknownIn, useFilter } from './audit-log/filter.ts'
import { FilterBar } from './audit-log/filter-bar.tsx'

export function AuditLogPage() {
  const [exported, setExported] = useState<ExportFormat | null>(null)
  const { filter, input, change, clear } = useFilter()
  const unknown = unknownIn(filter)
  return (
    <Stack gap="md">
      <PageHead
        title={words.title}
        text={words.text}
        action={
          <Button variant="default" onClick={() => setExported('csv')}>
            {words.export.open}
          </Button>
        }
      />
      <FilterBar filter={filter} change={change} clear={clear} />
      {unknown.length > 0 ? (
        <Text size="sm">{words.filters.unknown(unknown)}</Text>
      ) : (
        <Found filter={filter} input={input} only={change} exportSealed={() => setExported('sealed')} />
      )}
      {exported && <Export input={input} initial={exported} close={() => setExported(null)} />}
    </Stack>
  )
}

function Found({
  filter,
  input,
  ...shared
}: Pick<ReturnType<typeof useFilter>, 'filter' | 'input'> & {
  only: (filter: Filter) => void
  exportSealed: () => void
}) {
  const entries = usePages('listAuditLog', input)
  return (
    <>
      <Loaded query={entries} lines={10}>
        {(pages) => {
          const rows = rowsOf(pages)
          if (rows.length > 0) return <Entries entries={rows} isOpen={Boolean(filter.id)} {...shared} />
          return (
            <Text size="sm" c="dimmed">
              {Object.keys(filter).length > 0 ? words.emptyFiltered : words.empty}
            </Text>
          )
        }}
      </Loaded>
      <MorePages of={entries} />
    </>
  )
}
