import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { follow } from '../client/send-file.ts'
import { ProblemAlert } from './problem-alert.tsx'

/** Saves something as a file, in the format that is chosen. */
export function DownloadMenu<Format extends string>({
  label,
  formats,
  ask,
}: {
  label: string
  /** What each is called. */
  formats: Readonly<Record<Format, string>>
  /** Asks the service for the file. */
  ask: (format: Format) => Promise<{ url: string; name: string }>
}) {
  const saving = useMutation({ mutationFn: async (format: Format) => follow(await ask(format)) })
  return (
    <>
      <Menu position="bottom-end" shadow="sm">
        <Menu.Target>
          <Button
            variant="default"
            size="compact-md"
            loading={saving.isPending}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {label}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(Object.entries(formats) as [Format, string][]).map(([format, name]) => (
            <Menu.Item key={format} onClick={() => saving.mutate(format)}>
              {name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <ProblemAlert error={saving.error} />
    </>
  )
}
