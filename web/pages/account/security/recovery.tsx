import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { readAgain } from '../../../client/use-answer.ts'
import { DangerDialog } from '../../../components/danger-dialog.tsx'
import { useGuardedCall } from '../../../components/identity-guard.tsx'
import { RecoveryCodes } from '../../../components/recovery-codes.tsx'
import { Section } from '../../../components/section.tsx'
import { recovery as words } from '../../../copy/account.ts'

/** @param isOffered whether there is a second factor that they could stand in for */
export function Recovery({ left, isOffered }: { left: number; isOffered: boolean }) {
  const call = useGuardedCall()
  const [isAsking, setIsAsking] = useState(false)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const renew = async () => {
    const { recoveryCodes } = await call('createRecoveryCodes', {})
    setCodes(recoveryCodes ?? [])
    await readAgain('getSignInMethods')
  }
  return (
    <Section
      title={words.title}
      text={words.text}
      action={
        isOffered && (
          <Button variant="default" size="xs" onClick={() => setIsAsking(true)}>
            {words.renew}
          </Button>
        )
      }
    >
      <Text size="sm" c={left > 0 && left < 4 ? 'var(--mantine-color-error)' : 'dimmed'}>
        {isOffered ? words.left(left) : words.none}
      </Text>
      {isAsking && (
        <DangerDialog
          {...words.renewal}
          verb={words.renewal.submit}
          act={renew}
          close={() => setIsAsking(false)}
        />
      )}
      {codes && <RecoveryCodes codes={codes} close={() => setCodes(null)} />}
    </Section>
  )
}
