import { Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormFoot } from './form-foot.tsx'
import { ProblemAlert } from './problem-alert.tsx'
import type { useForm } from './use-form.ts'

/** A form over the page: what it is for, what is wrong with it, its fields, and its two buttons. */
export function FormDialog({
  words,
  of: { form, problem, isSending },
  close,
  children,
}: {
  words: { title: string; text: string; submit: string }
  of: Pick<ReturnType<typeof useForm>, 'form' | 'problem' | 'isSending'>
  close: () => void
  children: ReactNode
}) {
  return (
    <Modal opened onClose={close} title={words.title}>
      <form {...form}>
        <Stack>
          <Text size="sm" c="dimmed">
            {words.text}
          </Text>
          <ProblemAlert error={problem} />
          {children}
          <FormFoot submit={words.submit} isSending={isSending} cancel={close} />
        </Stack>
      </form>
    </Modal>
  )
}
