import { ActionIcon, Menu, Text, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { callsOf } from '../../../model/calls.ts'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { call } from '../../client/calls.ts'
import { gathered } from '../../client/custom-values.ts'
import { useExports } from '../../client/exports.ts'
import { isProblem } from '../../client/problem.ts'
import { send } from '../../client/send.ts'
import { follow } from '../../client/send-file.ts'
import { countWord } from '../../copy/counts.ts'
import { exporting as words } from '../../copy/exporting.ts'
import { AppLink } from '../app-link.tsx'
import { ProblemAlert } from '../problem-alert.tsx'

const FORMATS = ['xlsx', 'csv', 'json'] as const
/** Of more, the service makes the file while one goes on. */
const ROWS_AT_ONCE = 2_000
const isMany = (total: number | undefined): boolean => total !== undefined && total > ROWS_AT_ONCE

/** All rows of a view as a file, which the browser saves by itself; and the way in for one. */
export function ExportMenu({
  kind,
  filters,
  sort,
  total,
  canImport,
}: {
  kind: DescribedKind
  filters: Values
  sort: string
  /** How many rows there are, where it is known. */
  total: number | undefined
  canImport: boolean
}) {
  const [, setAsked] = useExports()
  const exporting = useMutation({
    mutationFn: async (format: (typeof FORMATS)[number]) => {
      const found = gathered({ ...filters, sort })
      const link = isMany(total)
        ? null
        : await send(`/web/${callsOf(kind).export}`, { ...found, format }).catch((error: unknown) => {
            // More may be there by now.
            if (isProblem(error, 'too_many_rows')) return null
            throw error
          })
      if (link) return follow(link as { url: string; name: string })
      const { id } = await call('startExport', { type: kind.name, filters: found, format })
      setAsked((before) => [...before, id])
    },
  })
  const label = canImport ? words.menuWithImport : words.menu
  return (
    <>
      <ProblemAlert error={exporting.error} />
      <Menu position="bottom-end" shadow="sm">
        <Menu.Target>
          <Tooltip label={label}>
            <ActionIcon variant="default" size={30} aria-label={label} loading={exporting.isPending}>
              <IconDownload size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{words.menu}</Menu.Label>
          {FORMATS.map((format) => (
            <Menu.Item key={format} onClick={() => exporting.mutate(format)}>
              {words.formats[format]}
            </Menu.Item>
          ))}
          {isMany(total) && (
            <Text size="xs" c="dimmed" px="sm" pb={4} maw={240}>
              {words.asJob(countWord(ROWS_AT_ONCE))}
            </Text>
          )}
          {canImport && (
            <>
              <Menu.Divider />
              <Menu.Item component={AppLink} href={`/import/${kind.page}`}>
                {words.import}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
