import { Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type Deadline, dayOf } from '../../client/deadlines.ts'
import { FormFoot } from '../../components/form-foot.tsx'
import { calendar } from '../../copy/calendar.ts'

const words = calendar.moving

/** Another day for what is due, where it cannot be taken there. */
export function MoveDialog({
  one,
  move,
  close,
}: {
  one: Deadline
  move: (to: string) => void
  close: () => void
}) {
  const [to, setTo] = useState(dayOf(one))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (to && to !== dayOf(one)) move(to)
    close()
  }
  return (
    <Modal opened onClose={close} title={words.title(one.reference ?? one.title)}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">
            <bdi>{one.title}</bdi>
          </Text>
          <TextInput
            type="date"
            label={words.to}
            required
            data-autofocus
            value={to}
            onChange={({ currentTarget }) => setTo(currentTarget.value)}
          />
          <FormFoot submit={words.submit} isSending={false} cancel={close} />
        </Stack>
      </form>
    </Modal>
  )
}
