import { ActionIcon, Button, Checkbox, Popover, Stack, Text } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { records } from '../../copy/records.ts'
import type { useColumns } from './use-columns.ts'

export function ColumnsMenu({ choices, columns, toggle, reset }: ReturnType<typeof useColumns>) {
  return (
    <Popover position="bottom-end" shadow="sm" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon variant="default" size={30} aria-label={records.columns} title={records.columns}>
          <IconColumns3 size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p="xs" mah={420} style={{ overflowY: 'auto' }} aria-label={records.columns}>
        <Stack gap={8} miw={200}>
          {choices.map((field) => (
            <Checkbox
              key={field.name}
              label={field.title}
              checked={columns.includes(field)}
              onChange={() => toggle(field.name)}
            />
          ))}
          <Button variant="default" size="compact-sm" onClick={reset}>
            {records.columnsReset}
          </Button>
          <Text size="xs" c="dimmed">
            {records.columnsHint}
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
