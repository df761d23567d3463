import { Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import { asTaken, STANDINGS, type Standing, standingOf } from '../../../../model/standing.ts'
import { members } from '../../../copy/members.ts'
import { standingWords } from '../../../copy/roles.ts'
import { ChangeDialog } from './change-dialog.tsx'
import type { Member } from './member.ts'

const words = members.role

export function RoleDialog({
  member,
  act,
  close,
}: {
  member: Member
  act: (given: ReturnType<typeof asTaken>, confirm: boolean) => Promise<unknown>
  close: () => void
}) {
  const [standing, setStanding] = useState(standingOf(member))
  return (
    <ChangeDialog
      key={standing}
      title={words.title(member.name)}
      text={words.text}
      verb={words.submit}
      isDanger={false}
      name={member.name}
      act={(confirm) => act(asTaken(standing), confirm)}
      close={close}
    >
      <Radio.Group
        value={standing}
        onChange={(value) => setStanding(value as Standing)}
        aria-label={words.title(member.name)}
      >
        <Stack gap="xs">
          {STANDINGS.map((one) => (
            <Radio
              key={one}
              size="xs"
              value={one}
              label={standingWords[one]}
              description={members.roleHints[one]}
            />
          ))}
        </Stack>
      </Radio.Group>
    </ChangeDialog>
  )
}
