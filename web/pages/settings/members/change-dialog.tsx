import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isProblem, type Problem } from '../../../client/problem.ts'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { buttons } from '../../../copy/buttons.ts'
import { members } from '../../../copy/members.ts'

const words = members.lost

/**
 * A change that takes something from somebody. Where keys or apps of theirs would lose rights or end, the service
 * says which, and it is asked once more.
 */
export function ChangeDialog({
  title,
  text,
  verb,
  isDanger = true,
  name,
  lost: lostText = words.text,
  act,
  close,
  children,
}: {
  title: string
  text: string
  verb: string
  isDanger?: boolean
  name: string
  /** What becomes of keys and apps, above their names. */
  lost?: (name: string) => string
  act: (confirm: boolean) => Promise<unknown>
  close: () => void
  children?: ReactNode
}) {
  const acting = useMutation({ mutationFn: act, onSuccess: close })
  const lost = isProblem(acting.error, 'confirm_required') ? lossesOf(acting.error as Problem) : null
  return (
    <Modal opened onClose={close} title={title} withCloseButton={false}>
      <Stack>
        <Text size="sm">{text}</Text>
        {children}
        {lost ? <Lost text={lostText(name)} {...lost} /> : <ProblemAlert error={acting.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            {buttons.cancel}
          </Button>
          <Button
            {...(isDanger || lost ? { color: 'red' } : {})}
            loading={acting.isPending}
            onClick={() => acting.mutate(lost !== null)}
          >
            {lost ? words.confirm(verb) : verb}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

interface Losses {
  keys: readonly { id: string; name: string; prefix: string }[]
  apps: readonly { id: string; name: string; redirectHost: string }[]
}

const lossesOf = ({ members: { keys, apps } }: Problem) => ({ keys, apps }) as unknown as Losses

function Lost({ text, keys, apps }: Losses & { text: string }) {
  return (
    <Stack gap="xs" role="alert">
      <Text size="sm" fw={500}>
        {text}
      </Text>
      <Named title={words.keys} rows={keys.map(({ id, name, prefix }) => ({ id, name, more: prefix }))} />
      <Named
        title={words.apps}
        rows={apps.map(({ id, name, redirectHost }) => ({ id, name, more: redirectHost }))}
      />
    </Stack>
  )
}

function Named({
  title,
  rows,
}: {
  title: string
  rows: readonly { id: string; name: string; more: string }[]
}) {
  if (rows.length === 0) return null
  return (
    <div>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <Text component="ul" size="sm" m={0} pl="md" aria-label={title}>
        {rows.map(({ id, name, more }) => (
          <li key={id} style={{ overflowWrap: 'anywhere' }}>
            {name} ({more})
          </li>
        ))}
      </Text>
    </div>
  )
}
