import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { readAgain, useAnswer } from '../../client/use-answer.ts'
import { type Row, rowsOf, usePages } from '../../client/use-pages.ts'
import { Chip, type Look } from '../../components/chip.tsx'
import { DangerDialog } from '../../components/danger-dialog.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { InstantInput } from '../../components/instant-input.tsx'
import { Moment } from '../../components/moment.tsx'
import { MorePages } from '../../components/more-pages.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { Section } from '../../components/section.tsx'
import { useForm } from '../../components/use-form.ts'
import { guestPasses as words } from '../../copy/guest-passes.ts'
import { LinkDialog, type Way } from '../settings/members/link-dialog.tsx'
import { CameBack } from './came-back.tsx'
import { HandOverDialog } from './hand-over-dialog.tsx'

type Pass = Row<'listGuestPasses'>

interface Act {
  readonly verb: 'extend' | 'revoke'
  readonly pass: Pass
}

/** Who is let in to a record by a link, and what can be done with that; nothing, where nobody is. */
export function GuestPasses({
  recordId,
  mayWrite,
  version,
}: {
  recordId: string
  mayWrite: boolean
  /** Its number, where it is not the one in force. */
  version: string | null
}) {
  const passes = usePages('listGuestPasses', { recordId })
  const guarded = useGuardedCall()
  const [act, setAct] = useState<Act | null>(null)
  const [way, setWay] = useState<Way | null>(null)
  const [isHandingOver, setIsHandingOver] = useState(false)
  const { data: settings } = useAnswer('getNoticeSettings', {})
  // The same people stand in the round above, with how far they are.
  const [isShown, setIsShown] = useState(false)
  const sending = useMutation({
    mutationFn: async ({ id, expiresAt, name }: Pass) => {
      setWay({
        ...{ title: `${words.sent}: ${name}`, linkText: words.linkText, expiresAt },
        ...(await guarded('sendGuestLink', { id })),
      })
      await readAgain('listGuestPasses')
    },
  })
  const rows = passes.data ? rowsOf(passes.data) : []
  if (rows.length === 0) return null
  const close = () => setAct(null)
  const acts: Column<Pass> = {
    label: words.columns.acts,
    hidden: true,
    cell: (pass) =>
      pass.state !== 'revoked' && (
        <Menu position="bottom-end" shadow="sm">
          <Menu.Target>
            <ActionIcon size="sm" aria-label={words.acts(pass.name)}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {pass.state === 'open' && (
              <Menu.Item onClick={() => sending.mutate(pass)}>
                {settings?.sendsMail ? words.send : words.create}
              </Menu.Item>
            )}
            <Menu.Item onClick={() => setAct({ verb: 'extend', pass })}>{words.extend}</Menu.Item>
            <Menu.Item onClick={() => setAct({ verb: 'revoke', pass })}>{words.revoke}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ),
  }
  return (
    <Section
      title={version === null ? words.title : words.titleOf(version)}
      text={version === null ? words.text : words.textBefore}
      action={
        <Button
          variant="default"
          size="compact-md"
          aria-expanded={isShown}
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? words.hide : words.show}
        </Button>
      }
    >
      <ProblemAlert error={sending.error} />
      {isShown && (
        <>
          {mayWrite && settings?.sendsMail === false && rows.some(({ state }) => state === 'open') && (
            <Group>
              <Button variant="default" size="compact-md" onClick={() => setIsHandingOver(true)}>
                {words.handingOver.button}
              </Button>
            </Group>
          )}
          <DataTable label={words.title} rows={rows} columns={mayWrite ? [...COLUMNS, acts] : COLUMNS} />
          <MorePages of={passes} />
        </>
      )}
      {act?.verb === 'extend' && <ExtendDialog pass={act.pass} close={close} />}
      {act?.verb === 'revoke' && (
        <DangerDialog
          title={words.revoking.title(act.pass.name)}
          text={words.revoking.text}
          verb={words.revoke}
          act={async () => {
            await guarded('revokeGuestPass', { id: act.pass.id })
            await readAgain('listGuestPasses')
          }}
          close={close}
        />
      )}
      {isHandingOver && <HandOverDialog recordId={recordId} close={() => setIsHandingOver(false)} />}
      {way && <LinkDialog way={way} close={() => setWay(null)} />}
    </Section>
  )
}

const LOOKS: Readonly<Record<Pass['state'], Look>> = {
  open: 'good',
  expired: 'waits',
  revoked: 'quiet',
  ended: 'quiet',
}

const COLUMNS: readonly Column<Pass>[] = [
  {
    label: words.columns.guest,
    cell: ({ name, address }) => (
      <>
        <bdi>{name}</bdi>
        {name !== address && (
          <Text size="xs" c="dimmed">
            <bdi>{address}</bdi>
          </Text>
        )}
      </>
    ),
  },
  {
    label: words.columns.state,
    cell: ({ state, mailFailure }) => (
      <>
        <Chip look={LOOKS[state]}>{words.states[state]}</Chip>
        <CameBack failure={mailFailure} />
      </>
    ),
  },
  { label: words.columns.expires, cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
  { label: words.columns.opened, cell: ({ uses }) => words.opened(uses) },
]

function ExtendDialog({ pass: { id, name, expiresAt }, close }: { pass: Pass; close: () => void }) {
  const guarded = useGuardedCall()
  const { typed, set, wrong, ...sending } = useExtension(expiresAt, async (until) => {
    await guarded('extendGuestPass', { id, expiresAt: until })
    await readAgain('listGuestPasses')
    close()
  })
  return (
    <FormDialog words={words.extending} of={sending} close={close}>
      <Text size="sm" fw={500}>
        <bdi>{name}</bdi>
      </Text>
      <InstantInput
        label={words.extending.until}
        name="expiresAt"
        error={wrong}
        required
        isUntil
        value={typed.expiresAt || null}
        change={(value) => set('expiresAt', value ?? '')}
      />
    </FormDialog>
  )
}

function useExtension(expiresAt: string, send: (until: string) => Promise<unknown>) {
  const { field, ...form } = useForm({
    initial: { expiresAt },
    send: ({ expiresAt }) => send(expiresAt),
  })
  return { ...form, wrong: field('expiresAt').error }
}
