import { Button, Menu, Text } from '@mantine/core'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { call } from '../../client/calls.ts'
import { startAfresh, useSignedIn } from '../../client/session.ts'
import { frame } from '../../words/frame.ts'
import { NotDone, usePassage } from './passage.tsx'

/** Where one is, and the other organizations that one may go to. */
export function OrganizationMenu() {
  const { organization, organizations } = useSignedIn()
  const changing = usePassage((organizationId: string) =>
    call('switchOrganization', { organizationId }).then(() => startAfresh('/')),
  )
  return (
    <>
      <Menu position="bottom-start" width="target" shadow="none">
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            c="var(--mantine-color-text)"
            size="compact-md"
            rightSection={<IconChevronDown size={14} aria-hidden />}
            loading={changing.isPending}
            aria-label={frame.organization(organization.name)}
            style={{ minWidth: 0 }}
          >
            <Text span truncate size="sm">
              {organization.name}
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown miw={220}>
          <Menu.Label>{frame.changeOrganization}</Menu.Label>
          {organizations.map(({ id, name }) => {
            const isHere = id === organization.id
            return (
              <Menu.Item
                key={id}
                disabled={isHere}
                rightSection={isHere && <IconCheck size={14} aria-hidden />}
                onClick={() => changing.go(id)}
              >
                {name}
              </Menu.Item>
            )
          })}
        </Menu.Dropdown>
      </Menu>
      <NotDone passage={changing} words={frame.notChanged(organization.name)} />
    </>
  )
}
