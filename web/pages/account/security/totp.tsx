import { Button, Group, Paper, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { fetchCode } from '../../../client/fetch-code.ts'
import { readAgain } from '../../../client/use-answer.ts'
import { Chip } from '../../../components/chip.tsx'
import { DangerDialog } from '../../../components/danger-dialog.tsx'
import { useGuardedCall } from '../../../components/identity-guard.tsx'
import { Moment } from '../../../components/moment.tsx'
import { RecoveryCodes } from '../../../components/recovery-codes.tsx'
import { Section } from '../../../components/section.tsx'
import { totp as words } from '../../../copy/account.ts'

const SetUp = lazy(() =>
  fetchCode(() => import('./totp-set-up.tsx')).then((all) => ({ default: all.TotpSetUp })),
)

export function Totp({ confirmedAt }: { confirmedAt: string | null }) {
  const call = useGuardedCall()
  const [open, setOpen] = useState<'set-up' | 'removal' | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const remove = async () => {
    await call('removeTotp', {})
    await readAgain('getSignInMethods', 'listSessions')
  }
  return (
    <Section title={words.title} text={words.text}>
      <Paper withBorder px="md" py="xs">
        <Group gap="sm">
          <Chip look={confirmedAt ? 'good' : 'quiet'}>{confirmedAt ? words.on : words.off}</Chip>
          {confirmedAt && (
            <Text size="sm" c="dimmed">
              {words.since} <Moment at={confirmedAt} />
            </Text>
          )}
          <Group gap="xs" ml="auto">
            <Button variant="default" size="xs" onClick={() => setOpen('set-up')}>
              {confirmedAt ? words.replace : words.setUp}
            </Button>
            {confirmedAt && (
              <Button variant="subtle" color="red" size="xs" onClick={() => setOpen('removal')}>
                {words.remove}
              </Button>
            )}
          </Group>
        </Group>
      </Paper>
      {open === 'set-up' && (
        <Suspense>
          <SetUp
            close={() => setOpen(null)}
            done={async (made) => {
              setOpen(null)
              setCodes(made)
              await readAgain('getSignInMethods', 'listSessions')
            }}
          />
        </Suspense>
      )}
      {open === 'removal' && (
        <DangerDialog
          {...words.removal}
          verb={words.removal.submit}
          act={remove}
          close={() => setOpen(null)}
        />
      )}
      {codes && <RecoveryCodes codes={codes} close={() => setCodes(null)} />}
    </Section>
  )
}
