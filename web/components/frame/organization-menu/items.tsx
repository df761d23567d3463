import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useSignedIn } from '../../../client/session.ts'
import { frame } from '../../../copy/frame.ts'
import type { OpenedMenu } from '../later-menu.tsx'

export function OrganizationItems({
  target,
  opened,
  onChange,
  go,
}: OpenedMenu & { go: (organizationId: string) => void }) {
  const { organization, organizations } = useSignedIn()
  return (
    <Menu opened={opened} onChange={onChange} position="bottom-start" width="target" shadow="none">
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown miw={220}>
        <Menu.Label>{frame.changeOrganization}</Menu.Label>
        {organizations.map(({ id, name }) => {
          const isHere = id === organization.id
          return (
            <Menu.Item
              key={id}
              disabled={isHere}
              rightSection={isHere && <IconCheck size={14} aria-hidden />}
              onClick={() => go(id)}
            >
              {name}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
