import { NativeSelect, TextInput } from '@mantine/core'
import { asTaken, STANDINGS, type Standing } from '../../../../model/standing.ts'
import { readAgain } from '../../../client/use-answer.ts'
import { EmailInput } from '../../../components/email-input.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { useGuardedCall } from '../../../components/identity-guard.tsx'
import { useForm } from '../../../components/use-form.ts'
import { members } from '../../../copy/members.ts'
import { standingWords } from '../../../copy/roles.ts'
import type { Way } from './link-dialog.tsx'

const words = members.inviting

/** Asks whom to invite; they choose their password themselves. */
export function Invite({ invited, close }: { invited: (way: Way) => void; close: () => void }) {
  const call = useGuardedCall()
  const { field, set, typed, ...sending } = useForm({
    initial: { email: '', name: '', role: 'editor' },
    send: async ({ email, name, role }) => {
      const made = await call('createUser', {
        email: email.trim(),
        name: name.trim(),
        ...asTaken(role as Standing),
      })
      await readAgain('listUsers')
      invited({ title: members.invited.title(made.name), ...made.invitation! })
    },
  })
  return (
    <FormDialog words={words} of={sending} close={close}>
      <EmailInput {...field('email')} label={words.email} autoComplete="off" data-autofocus />
      <TextInput {...field('name')} label={words.name} autoComplete="off" />
      <NativeSelect
        label={words.role}
        description={members.roleHints[typed.role as Standing]}
        value={typed.role}
        onChange={({ currentTarget }) => set('role', currentTarget.value)}
        data={STANDINGS.map((one) => ({ value: one, label: standingWords[one] }))}
      />
    </FormDialog>
  )
}
