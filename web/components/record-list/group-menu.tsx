import { ActionIcon, Menu } from '@mantine/core'
import { IconCheck, IconLayoutRows } from '@tabler/icons-react'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { register } from '../../copy/register.ts'
import { groupsOf, type View } from './view.ts'

const words = register.group

/** By which field the rows are grouped. */
export function GroupMenu({
  kind,
  view,
  show,
}: {
  kind: DescribedKind
  view: View
  show: (view: View) => void
}) {
  const fields = groupsOf(kind)
  const chosen = fields.find(({ name }) => name === view.group)
  const label = chosen ? words.chosen(chosen.title) : words.label
  if (fields.length === 0) return null
  return (
    <Menu position="bottom-end" shadow="sm">
      <Menu.Target>
        <ActionIcon
          variant={chosen ? 'light' : 'default'}
          color="indigo"
          size={30}
          aria-label={label}
          title={label}
        >
          <IconLayoutRows size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        <Menu.Label>{words.by}</Menu.Label>
        {[null, ...fields].map((field) => (
          <Menu.Item
            key={field?.name ?? ''}
            rightSection={
              field?.name === chosen?.name && <IconCheck size={14} role="img" aria-label={words.current} />
            }
            onClick={() => show({ ...view, group: field?.name ?? null })}
          >
            {field?.title ?? words.none}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
