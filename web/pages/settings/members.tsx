import { ActionIcon, Button, Menu, Stack, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { standingOf } from '../../../model/standing.ts'
import { useSignedIn } from '../../client/session.ts'
import { readAgain } from '../../client/use-answer.ts'
import { rowsOf, usePages } from '../../client/use-pages.ts'
import { Chip } from '../../components/chip.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Moment } from '../../components/moment.tsx'
import { MorePages } from '../../components/more-pages.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { ReassignDialog } from '../../components/reassign-dialog.tsx'
import { handOver, members as words } from '../../copy/members.ts'
import { standingWords } from '../../copy/roles.ts'
import { ChangeDialog } from './members/change-dialog.tsx'
import { Invite } from './members/invite.tsx'
import { LinkDialog, type Way } from './members/link-dialog.tsx'
import type { Member } from './members/member.ts'
import { RoleDialog } from './members/role-dialog.tsx'

type Act = 'role' | 'disable' | 'remove' | 'factor' | 'hand-over'

export function MembersPage() {
  const call = useGuardedCall()
  const { person } = useSignedIn()
  const [isInviting, setIsInviting] = useState(false)
  const [way, setWay] = useState<Way | null>(null)
  const [doing, setDoing] = useState<{ act: Act; member: Member } | null>(null)
  const members = usePages('listUsers', {})
  const atOnce = useMutation({ mutationFn: (act: () => Promise<unknown>) => act() })
  const offered = {
    invite: ({ id, name }: Member) =>
      atOnce.mutate(async () =>
        setWay({ title: words.invited.title(name), ...(await call('createInvitation', { id })) }),
      ),
    reset: ({ id, name }: Member) =>
      atOnce.mutate(async () =>
        setWay({ title: words.reset.title(name), ...(await call('createPasswordReset', { id })) }),
      ),
    enable: ({ id, version }: Member) =>
      atOnce.mutate(async () => {
        await call('updateUser', { id, ifMatch: version, status: 'active' })
        await readAgain('listUsers')
      }),
    begin: (act: Act, member: Member) => setDoing({ act, member }),
  }
  const columns: Column<Member>[] = [
    { label: words.columns.name, cell: (member) => <Name {...member} isMe={member.id === person.id} /> },
    { label: words.columns.role, cell: (member) => standingWords[standingOf(member)] },
    { label: words.columns.status, cell: ({ status }) => <Status status={status} /> },
    {
      label: words.columns.mfa,
      cell: ({ status, mfaEnabled }) =>
        status === 'invited' ? '–' : mfaEnabled ? words.mfa.on : words.mfa.off,
    },
    {
      label: words.columns.seen,
      cell: ({ lastLoginAt }) => (lastLoginAt ? <Moment at={lastLoginAt} /> : words.never),
    },
    {
      label: words.actions,
      hidden: true,
      cell: (member) => <Actions member={member} isMe={member.id === person.id} offered={offered} />,
    },
  ]
  return (
    <Stack gap="lg">
      <PageHead
        title={words.title}
        text={words.text}
        action={<Button onClick={() => setIsInviting(true)}>{words.invite}</Button>}
      />
      <ProblemAlert error={atOnce.error} />
      <Loaded query={members}>
        {(pages) => <DataTable label={words.title} rows={rowsOf(pages)} columns={columns} />}
      </Loaded>
      <MorePages of={members} />
      {isInviting && (
        <Invite
          invited={(made) => {
            setIsInviting(false)
            setWay(made)
          }}
          close={() => setIsInviting(false)}
        />
      )}
      {way && <LinkDialog way={way} close={() => setWay(null)} />}
      {doing && <Doing act={doing.act} member={asNow(doing.member, members)} close={() => setDoing(null)} />}
    </Stack>
  )
}

/** As they were read last: others may change them while a question stands. */
const asNow = (member: Member, { data }: ReturnType<typeof usePages<'listUsers'>>): Member =>
  (data && rowsOf(data).find(({ id }) => id === member.id)) ?? member

/** What asks before it is done. */
function Doing({ act, member, close }: { act: Act; member: Member; close: () => void }) {
  const call = useGuardedCall()
  const { id, name, version } = member
  const dialog = { name, close }
  const change = async (given: object, confirm: boolean) => {
    await call('updateUser', { id, ifMatch: version, ...(confirm ? { confirm } : {}), ...given })
    await readAgain('listUsers', 'getSession')
  }
  switch (act) {
    case 'role':
      return <RoleDialog member={member} act={change} close={close} />
    case 'disable':
      return (
        <ChangeDialog
          {...dialog}
          title={words.disable.title(name)}
          text={words.disable.text}
          verb={words.disable.submit}
          act={(confirm) => change({ status: 'disabled' }, confirm)}
        />
      )
    case 'remove':
      return (
        <ChangeDialog
          {...dialog}
          title={words.remove.title(name)}
          text={words.remove.text}
          verb={words.remove.submit}
          lost={words.remove.lost}
          act={async (confirm) => {
            await call('removeUser', { id, ifMatch: version, ...(confirm ? { confirm } : {}) })
            await readAgain('listUsers')
          }}
        />
      )
    case 'factor':
      return (
        <ChangeDialog
          {...dialog}
          title={words.factor.title(name)}
          text={words.factor.text}
          verb={words.factor.submit}
          act={async () => {
            await call('resetSecondFactor', { id })
            await readAgain('listUsers')
          }}
        />
      )
    case 'hand-over':
      return <ReassignDialog from={{ type: 'user', refId: id, displayName: name }} close={close} />
  }
}

function Name({ name, email, isMe }: Member & { isMe: boolean }) {
  return (
    <div>
      <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {name} {isMe && `(${words.you})`}
      </Text>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {email}
      </Text>
    </div>
  )
}

const LOOKS = { invited: 'waits', active: 'good', disabled: 'quiet' } as const

function Status({ status }: Pick<Member, 'status'>) {
  return <Chip look={LOOKS[status]}>{words.statuses[status]}</Chip>
}

interface Offered {
  invite: (member: Member) => void
  reset: (member: Member) => void
  enable: (member: Member) => void
  begin: (act: Act, member: Member) => void
}

/** What may be done with somebody as they are now; one's own password and second factor are under the account. */
function Actions({ member, isMe, offered }: { member: Member; isMe: boolean; offered: Offered }) {
  const { status, mfaEnabled, name } = member
  const begin = (act: Act) => () => offered.begin(act, member)
  return (
    <Menu position="bottom-end" width={240} shadow="none">
      <Menu.Target>
        <ActionIcon aria-label={words.actionsFor(name)}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {status === 'invited' && <Menu.Item onClick={() => offered.invite(member)}>{words.again}</Menu.Item>}
        <Menu.Item onClick={begin('role')}>{words.role.action}</Menu.Item>
        {status === 'active' && !isMe && (
          <Menu.Item onClick={() => offered.reset(member)}>{words.reset.action}</Menu.Item>
        )}
        {mfaEnabled && !isMe && <Menu.Item onClick={begin('factor')}>{words.factor.action}</Menu.Item>}
        {status !== 'invited' && <Menu.Item onClick={begin('hand-over')}>{handOver.action}</Menu.Item>}
        <Menu.Divider />
        {status === 'disabled' && (
          <Menu.Item onClick={() => offered.enable(member)}>{words.enable}</Menu.Item>
        )}
        {status === 'active' && <Menu.Item onClick={begin('disable')}>{words.disable.action}</Menu.Item>}
        <Menu.Item color="var(--mantine-color-error)" onClick={begin('remove')}>
          {words.remove.action}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
