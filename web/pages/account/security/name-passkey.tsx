import { Modal, Stack, Text, TextInput } from '@mantine/core'
import { makePasskey, PasskeyUnused } from '../../../client/passkeys.ts'
import { readAgain } from '../../../client/use-answer.ts'
import { FormFoot } from '../../../components/form-foot.tsx'
import { useGuardedCall } from '../../../components/identity-guard.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { useForm } from '../../../components/use-form.ts'
import { browserOf } from '../../../components/user-agent.ts'
import { passkeys } from '../../../copy/account.ts'
import type { Passkey } from './passkey.ts'

const words = passkeys.naming

/** Makes a passkey and names it, or gives one another name. */
export function NamePasskey({ passkey, close }: { passkey: Passkey | null; close: () => void }) {
  const call = useGuardedCall()
  const { form, field, problem, isSending } = useForm({
    initial: { name: passkey?.name ?? browserOf(navigator.userAgent) },
    send: async ({ name }) => {
      if (passkey) await call('updatePasskey', { id: passkey.id, name })
      else {
        const made = await makePasskey(await call('beginPasskey', {}))
        await call('createPasskey', { ...made, name })
      }
      await readAgain('getSignInMethods', 'listSessions')
      close()
    },
  })
  return (
    <Modal
      opened
      onClose={close}
      title={passkey ? words.renameTitle : words.addTitle}
      closeOnClickOutside={false}
    >
      <form {...form}>
        <Stack>
          {problem instanceof PasskeyUnused ? (
            <Text size="sm" role="status">
              {passkeys.unused}
            </Text>
          ) : (
            <ProblemAlert error={problem} />
          )}
          <TextInput
            {...field('name')}
            label={words.name}
            description={words.hint}
            autoComplete="off"
            data-autofocus
          />
          <FormFoot submit={passkey ? words.rename : words.add} isSending={isSending} cancel={close} />
        </Stack>
      </form>
    </Modal>
  )
}
