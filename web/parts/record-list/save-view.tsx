import { Checkbox, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Kind } from '../../../kinds/kind.ts'
import { call } from '../../client/calls.ts'
import { mayDo } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { readAgain } from '../../client/use-answer.ts'
import { register } from '../../words/register.ts'
import { FormFoot } from '../form-foot.tsx'
import { ProblemAlert } from '../problem-alert.tsx'
import { useForm } from '../use-form.ts'

const words = register.views

/** Saves a view under a name; who may change records may also share it. */
export function SaveView({ kind, query, close }: { kind: Kind; query: string; close: () => void }) {
  const { role } = useSignedIn()
  const [isShared, setIsShared] = useState(false)
  const { form, field, problem, isSending } = useForm({
    initial: { name: '' },
    send: async ({ name }) => {
      await call('createSavedView', { kind: kind.name, name, query, isShared })
      await readAgain('listSavedViews')
      close()
    },
  })
  return (
    <Modal opened onClose={close} title={words.title}>
      <form {...form}>
        <Stack>
          <Text size="sm" c="dimmed">
            {words.text}
          </Text>
          <ProblemAlert error={problem} />
          <TextInput {...field('name')} label={words.name} autoComplete="off" data-autofocus />
          {mayDo(kind, 'update', role) && (
            <Checkbox
              label={words.isShared}
              checked={isShared}
              onChange={({ currentTarget }) => setIsShared(currentTarget.checked)}
            />
          )}
          <FormFoot submit={words.submit} isSending={isSending} cancel={close} />
        </Stack>
      </form>
    </Modal>
  )
}
