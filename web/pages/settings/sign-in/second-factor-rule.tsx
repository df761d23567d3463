import { Button, Group, Paper } from '@mantine/core'
import { useState } from 'react'
import { readAgain, useAnswer } from '../../../client/use-answer.ts'
import { Chip } from '../../../components/chip.tsx'
import { DangerDialog } from '../../../components/danger-dialog.tsx'
import { useGuardedCall } from '../../../components/identity-guard.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Section } from '../../../components/section.tsx'
import { secondFactorRule as words } from '../../../copy/sign-in-providers.ts'

/** Whether everybody needs a second factor here. */
export function SecondFactorRule() {
  const call = useGuardedCall()
  const [isAsking, setIsAsking] = useState(false)
  const organization = useAnswer('getOrganization', {})
  const set = async (secondFactorRequired: boolean) => {
    await call('updateOrganization', { secondFactorRequired })
    await readAgain('getOrganization')
  }
  return (
    <Section title={words.title} text={words.text}>
      <Loaded query={organization} lines={1}>
        {({ secondFactorRequired: isOn }) => {
          const dialog = isOn ? words.turningOff : words.turningOn
          return (
            <Paper withBorder px="md" py="xs">
              <Group gap="sm">
                <Chip look={isOn ? 'good' : 'quiet'}>{isOn ? words.on : words.off}</Chip>
                <Button variant="default" size="xs" ml="auto" onClick={() => setIsAsking(true)}>
                  {isOn ? words.turnOff : words.turnOn}
                </Button>
              </Group>
              {isAsking && (
                <DangerDialog
                  {...dialog}
                  verb={dialog.submit}
                  act={() => set(!isOn)}
                  close={() => setIsAsking(false)}
                />
              )}
            </Paper>
          )
        }}
      </Loaded>
    </Section>
  )
}
