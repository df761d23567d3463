import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { callsOf } from '../../../model/calls.ts'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { gathered } from '../../client/custom-values.ts'
import { send } from '../../client/send.ts'
import { follow } from '../../client/send-file.ts'
import { exporting as words } from '../../copy/exporting.ts'
import { AppLink } from '../app-link.tsx'
import { ProblemAlert } from '../problem-alert.tsx'

const FORMATS = ['xlsx', 'csv', 'json'] as const

/** All rows of a view as a file, which the browser saves by itself; and the way in for one. */
export function ExportMenu({
  kind,
  filters,
  sort,
  canImport,
}: {
  kind: DescribedKind
  filters: Values
  sort: string
  canImport: boolean
}) {
  const exporting = useMutation({
    mutationFn: async (format: string) =>
      follow(
        (await send(`/web/${callsOf(kind).export}`, gathered({ ...filters, sort, format }))) as {
          url: string
          name: string
        },
      ),
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
