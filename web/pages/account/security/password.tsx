import { Button, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useSignedIn } from '../../../client/session.ts'
import { readAgain } from '../../../client/use-answer.ts'
import { useAlsoEnded } from '../../../components/also-ended.tsx'
import { FormFoot } from '../../../components/form-foot.tsx'
import { useGuardedCall } from '../../../components/identity-guard.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { SecretField } from '../../../components/secret-field.tsx'
import { Section } from '../../../components/section.tsx'
import { useForm } from '../../../components/use-form.ts'
import { password as words } from '../../../copy/account.ts'

export function Password({ has }: { has: boolean }) {
  const [isOpen, setIsOpen] = useState(false)
  const [isChanged, setIsChanged] = useState(false)
  const change = (
    <Button variant="default" size="xs" onClick={() => setIsOpen(true)}>
      {words.change}
    </Button>
  )
  return (
    <Section title={words.title} text={has ? words.text : words.none} action={has && change}>
      {isChanged && (
        <Text size="sm" role="status">
          {words.changed}
        </Text>
      )}
      {isOpen && (
        <Modal opened onClose={() => setIsOpen(false)} title={words.change} closeOnClickOutside={false}>
          <Change
            done={() => {
              setIsOpen(false)
              setIsChanged(true)
            }}
            close={() => setIsOpen(false)}
          />
        </Modal>
      )}
    </Section>
  )
}

function Change({ done, close }: { done: () => void; close: () => void }) {
  const call = useGuardedCall()
  const { person } = useSignedIn()
  const { ended, boxes } = useAlsoEnded()
  const { form, field, problem, isSending } = useForm({
    initial: { currentPassword: '', newPassword: '' },
    send: async (typed) => {
      await call('changePassword', { ...typed, ...ended })
      done()
      await readAgain('listSessions', 'listMyConnectedApps', 'listConnectedApps', 'listApiKeys')
    },
  })
  return (
    <form {...form}>
      <Stack>
        <ProblemAlert error={problem} />
        {/* For password managers: whose password this is. */}
        <input type="email" name="email" autoComplete="username" value={person.email} readOnly hidden />
        <SecretField
          {...field('currentPassword')}
          label={words.current}
          autoComplete="current-password"
          data-autofocus
        />
        <SecretField
          {...field('newPassword')}
          label={words.next}
          description={words.nextHint}
          autoComplete="new-password"
        />
        {boxes}
        <FormFoot submit={words.submit} isSending={isSending} cancel={close} />
      </Stack>
    </form>
  )
}
