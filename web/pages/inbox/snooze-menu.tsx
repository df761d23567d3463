import { ActionIcon, Menu, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconClockHour4 } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { today } from '../../client/formats.ts'
import { momentAt } from '../../client/typed-times.ts'
import { FormFoot } from '../../components/form-foot.tsx'
import { InstantInput } from '../../components/instant-input.tsx'
import { momentWord } from '../../components/moment.tsx'
import { inbox } from '../../copy/inbox.ts'

const words = inbox.snooze
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** When a working day begins, in the organization's zone. */
const MORNING = '09:00'

/** A few times at which it may come back, and any other. */
export function SnoozeMenu({ of, snooze }: { of: string; snooze: (until: string) => void }) {
  const [isChoosing, { open, close }] = useDisclosure(false)
  return (
    <>
      <Menu position="bottom-end" shadow="sm" width={300}>
        <Menu.Target>
          <ActionIcon size={28} aria-label={`${words.act}: ${of}`} title={words.act}>
            <IconClockHour4 size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {choices().map(([label, at]) => (
            <Menu.Item
              key={label}
              rightSection={
                <Text span size="xs" c="dimmed">
                  {momentWord(at)}
                </Text>
              }
              onClick={() => snooze(at)}
            >
              {label}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={open}>{words.choose}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isChoosing && <Choose snooze={snooze} close={close} />}
    </>
  )
}

function Choose({ snooze, close }: { snooze: (until: string) => void; close: () => void }) {
  const [at, setAt] = useState<string | null>(inDays(1))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!at) return
    snooze(at)
    close()
  }
  return (
    <Modal opened onClose={close} title={words.title}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm" c="dimmed">
            {words.text}
          </Text>
          <InstantInput label={words.at} required autoFocus value={at} change={setAt} />
          <FormFoot submit={words.submit} isSending={false} cancel={close} />
        </Stack>
      </form>
    </Modal>
  )
}

function choices(): [string, string][] {
  const weekday = new Date(`${today()}T00:00:00Z`).getUTCDay()
  return [
    [words.later, new Date(Date.now() + 3 * HOUR).toISOString()],
    [words.tomorrow, inDays(1)],
    [words.week, inDays((8 - weekday) % 7 || 7)],
    [words.month, inDays(30)],
  ]
}

/** On the morning of that day. */
const inDays = (days: number): string =>
  momentAt(new Date(Date.parse(today()) + days * DAY).toISOString().slice(0, 10), MORNING).toISOString()
