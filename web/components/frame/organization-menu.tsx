import { Button, Text } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { call } from '../../client/calls.ts'
import { startAfresh, useSignedIn } from '../../client/session.ts'
import { usePreloaded } from '../../client/use-preloaded.ts'
import { frame } from '../../copy/frame.ts'
import { LaterMenu, MENU_BUTTON } from './later-menu.tsx'
import { NotDone, useSessionChange } from './session-change.tsx'

/** Where one is, and the other organizations that one may go to. */
export function OrganizationMenu() {
  const { organization } = useSignedIn()
  const changing = useSessionChange((organizationId: string) =>
    call('switchOrganization', { organizationId }).then(() => startAfresh('/')),
  )
  const later = usePreloaded('organization menu', () => import('./organization-menu/items.tsx'))
  return (
    <>
      <LaterMenu
        button={
          <Button
            {...MENU_BUTTON}
            rightSection={<IconChevronDown size={14} aria-hidden />}
            loading={changing.isPending}
            aria-label={frame.organization(organization.name)}
            style={{ minWidth: 0 }}
          >
            <Text span truncate size="sm">
              {organization.name}
            </Text>
          </Button>
        }
        menu={later && ((opened) => <later.OrganizationItems {...opened} go={changing.go} />)}
      />
      <NotDone change={changing} words={frame.notChanged(organization.name)} />
    </>
  )
}
