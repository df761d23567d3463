import { Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import { members } from '../../../copy/members.ts'
import { roleWords } from '../../../copy/roles.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { type Member, ROLES, type Role } from './member.ts'

const words = members.role

export function RoleDialog({
  member,
  act,
  close,
}: {
  member: Member
  act: (role: Role, confirm: boolean) => Promise<unknown>
  close: () => void
}) {
  const [role, setRole] = useState(member.role)
  return (
    <ChangeDialog
      key={role}
      title={words.title(member.name)}
      text={words.text}
      verb={words.submit}
      isDanger={false}
      name={member.name}
      act={(confirm) => act(role, confirm)}
      close={close}
    >
      <Radio.Group
        value={role}
        onChange={(value) => setRole(value as Role)}
        aria-label={words.title(member.name)}
      >
        <Stack gap="xs">
          {ROLES.map((one) => (
            <Radio
              key={one}
              size="xs"
              value={one}
              label={roleWords[one]}
              description={members.roleHints[one]}
            />
          ))}
        </Stack>
      </Radio.Group>
    </ChangeDialog>
  )
}
