import { Button, Group, Paper } from '@mantine/core'
import { useState } from 'react'
import { readAgain, useAnswer } from '../client/use-answer.ts'
import { Chip } from './chip.tsx'
import { DangerDialog } from './danger-dialog.tsx'
import { useGuardedCall } from './identity-guard.tsx'
import { Loaded } from './loaded.tsx'
import { Section } from './section.tsx'

interface Turning {
  readonly title: string
  readonly text: string
  readonly submit: string
}

/** A rule of the organization that holds or does not: turned on and off behind a question that says what it means. */
export function OrganizationRule({
  rule,
  isGoodOn,
  words,
}: {
  rule: 'secondFactorRequired' | 'allowSelfApproval'
  /** Whether it is safer on than off. */
  isGoodOn: boolean
  words: {
    readonly title: string
    readonly text: string
    readonly on: string
    readonly off: string
    readonly turnOn: string
    readonly turnOff: string
    readonly turningOn: Turning
    readonly turningOff: Turning
  }
}) {
  const call = useGuardedCall()
  const [isAsking, setIsAsking] = useState(false)
  const organization = useAnswer('getOrganization', {})
  const set = async (isOn: boolean) => {
    await call('updateOrganization', { [rule]: isOn })
    await readAgain('getOrganization')
  }
  return (
    <Section title={words.title} text={words.text}>
      <Loaded query={organization} lines={1}>
        {({ [rule]: isOn }) => {
          const dialog = isOn ? words.turningOff : words.turningOn
          return (
            <Paper withBorder px="md" py="xs">
              <Group gap="sm">
                <Chip look={isOn === isGoodOn ? 'good' : 'quiet'}>{isOn ? words.on : words.off}</Chip>
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
