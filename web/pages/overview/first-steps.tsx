import { Anchor, SimpleGrid, Text } from '@mantine/core'
import { kinds } from '../../../kinds/index.ts'
import type { Kind } from '../../../kinds/kind.ts'
import { listAddress } from '../../client/list-address.ts'
import { mayDo } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { AppLink } from '../../parts/app-link.tsx'
import { Card } from '../../parts/card.tsx'
import { overview } from '../../words/overview.ts'

const words = overview.firstSteps
const risk = kinds.risk as unknown as Kind

/** While nothing is kept here: where to begin, as far as the person may. */
export function FirstSteps() {
  const { role, capabilities } = useSignedIn()
  const steps = [
    ...(mayDo(risk, 'create', role)
      ? [[listAddress(risk, { add: true }), words.risk, words.riskText] as const]
      : []),
    ...(capabilities.includes('settings.manage') ? SETTINGS : []),
  ]
  return (
    <Card title={words.title} text={steps.length > 0 ? words.text : words.viewer}>
      <SimpleGrid component="ul" cols={{ base: 1, xs: 2, lg: 4 }} spacing="md" m={0} p={0}>
        {steps.map(([href, title, text]) => (
          <li key={href} style={{ listStyle: 'none' }}>
            <Anchor component={AppLink} href={href} fw={500} size="sm">
              {title}
            </Anchor>
            <Text size="sm" c="dimmed">
              {text}
            </Text>
          </li>
        ))}
      </SimpleGrid>
    </Card>
  )
}

const SETTINGS = [
  ['/settings/api-keys', words.key, words.keyText],
  ['/settings/webhooks', words.webhook, words.webhookText],
  ['/settings/members', words.invite, words.inviteText],
] as const
