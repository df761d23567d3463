import { Anchor, Button, Group, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Output } from '../../client/calls.ts'
import { kindIndex } from '../../client/kinds.ts'
import { listAddress } from '../../client/list-address.ts'
import { useSignedIn } from '../../client/session.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { AppLink } from '../../components/app-link.tsx'
import { Card } from '../../components/card.tsx'
import { overview } from '../../copy/overview.ts'
import styles from './first-steps.module.css'
import { StarterSet } from './starter-set.tsx'

const words = overview.firstSteps

type Step = Output<'getFirstSteps'>['steps'][number]['step']

const ADDRESSES: Readonly<Record<Step, string | null>> = {
  risk: listAddress(kindIndex.risk, { add: true }),
  people: '/settings/members',
  second_factor: '/account/security',
  api_key: '/settings/api-keys',
  webhook: '/settings/webhooks',
  // Nothing of the app sets it.
  mail: null,
}

/** An organization is new for so long: later the steps come only when they are asked for. */
const NEW_FOR = 30 * 86_400_000

/**
 * What to do first in a new organization, as far as the person may, and what of it is done. Whoever hides it gets it
 * back with `?steps=true`.
 */
export function FirstSteps({ isEmpty }: { isEmpty: boolean }) {
  const { person, organization, capabilities, role } = useSignedIn()
  const { steps: isAsked } = useSearch({ strict: false }) as { steps?: boolean }
  const navigate = useNavigate()
  const [isHidden, setIsHidden] = useLocalStorage({
    key: `plumbline first steps ${organization.id} ${person.id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const { data } = useAnswer('getFirstSteps', {})
  if (!data) return null
  const { steps, organizationCreatedAt } = data
  const done = steps.filter((step) => step.done).length
  const isNew = Date.now() - Date.parse(organizationCreatedAt) < NEW_FOR
  if (!isAsked && (isHidden || !(isEmpty || isNew) || done === steps.length)) return null
  const hide = () => {
    setIsHidden(true)
    if (isAsked) void navigate({ to: '/', search: {} })
  }
  return (
    <Card
      title={words.title}
      text={isEmpty && role === 'viewer' ? words.viewer : words.text}
      action={
        <Group gap="sm">
          <Text size="sm" c="dimmed">
            {words.done(done, steps.length)}
          </Text>
          <Button variant="default" size="compact-sm" onClick={hide} title={words.hidden}>
            {words.hide}
          </Button>
        </Group>
      }
    >
      <ul className={styles.steps}>
        {steps.map((one) => (
          <li key={one.step} data-done={one.done}>
            <StepLine {...one} />
          </li>
        ))}
      </ul>
      {capabilities.includes('settings.manage') && <StarterSet />}
    </Card>
  )
}

function StepLine({ step, done }: { step: Step; done: boolean }) {
  const { title, text } = words.steps[step]
  const address = ADDRESSES[step]
  return (
    <>
      {done ? (
        <IconCircleCheckFilled size={18} color="var(--good)" aria-label={words.isDone} role="img" />
      ) : (
        <IconCircleDashed size={18} color="var(--mantine-color-dimmed)" aria-hidden />
      )}
      <div>
        {address && !done ? (
          <Anchor component={AppLink} href={address} fw={500} size="sm">
            {title}
          </Anchor>
        ) : (
          <Text size="sm" fw={500} c={done ? 'dimmed' : 'var(--mantine-color-text)'}>
            {title}
          </Text>
        )}
        {!done && (
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        )}
      </div>
    </>
  )
}
