import { Anchor, List, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { KindEntry } from '../../model/described-kind.ts'
import { SIGNAL_TYPES } from '../../model/signal-types.ts'
import { everyKind } from '../client/kinds.ts'
import { useSignedIn } from '../client/session.ts'
import { useKind } from '../client/use-kind.ts'
import { AppLink } from '../components/app-link.tsx'
import { TextLink } from '../components/links.tsx'
import { PageHead } from '../components/page-head.tsx'
import { Section } from '../components/section.tsx'
import { help as words } from '../copy/help.ts'
import { Levels } from './help/levels.tsx'
import { Rights } from './help/rights.tsx'
import { States } from './help/states.tsx'
import styles from './help.module.css'

/** The questions of somebody's first days, for people who keep records and not for programs. */
export function HelpPage() {
  const { capabilities } = useSignedIn()
  const isAdmin = capabilities.includes('settings.manage')
  return (
    <Stack gap="xl" maw={860} className={styles.page}>
      <PageHead title={words.title} text={words.text} />
      <Anchor component={AppLink} href="/?steps=true" size="sm">
        {words.firstSteps}
      </Anchor>
      <Section title={words.terms.title}>
        <Terms list={words.terms.list} />
      </Section>
      <Section title={words.levels.title} text={words.levels.text}>
        <Levels />
        <Terms list={words.levels.ratings} />
      </Section>
      <Section title={words.states.title}>
        {everyKind.map((kind) => (
          <StatesOf key={kind.name} entry={kind} />
        ))}
      </Section>
      <Section title={words.people.title} text={words.people.text}>
        <Rights />
        <Line>{isAdmin ? words.people.invite : words.people.askAdmin}</Line>
        {isAdmin && <TextLink to="/settings/members">{words.people.inviteLink}</TextLink>}
      </Section>
      <Section title={words.webhooks.title}>
        <Line>{words.webhooks.text}</Line>
        <Signals />
        {isAdmin && <TextLink to="/settings/webhooks">{words.webhooks.open}</TextLink>}
      </Section>
      <Section title={words.audit.title}>
        <Line>{words.audit.record}</Line>
        <Line>{words.audit.all}</Line>
        {isAdmin && <TextLink to="/settings/audit-log">{words.audit.open}</TextLink>}
      </Section>
      <Section title={words.more.title}>
        <Line>{words.more.keys}</Line>
        <Line>
          {words.more.api}{' '}
          <Anchor size="sm" href="/docs">
            {words.more.docs}
          </Anchor>
        </Line>
      </Section>
    </Stack>
  )
}

const Line = ({ children }: { children: ReactNode }) => (
  <Text size="sm" maw="72ch">
    {children}
  </Text>
)

const Terms = ({ list }: { list: readonly (readonly string[])[] }) => (
  <Stack component="dl" gap="xs" m={0} maw="72ch">
    {list.map(([term, meaning]) => (
      <div key={term}>
        <Text component="dt" size="sm" fw={600}>
          {term}
        </Text>
        <Text component="dd" size="sm" m={0}>
          {meaning}
        </Text>
      </div>
    ))}
  </Stack>
)

function StatesOf({ entry }: { entry: KindEntry }) {
  const kind = useKind(entry)
  return kind.states
    .filter(({ asks, byAction }) => asks || byAction)
    .map((machine) => <States key={machine.field} kind={kind} machine={machine} />)
}

/** What the kinds raise: only that can leave. */
function Signals() {
  const types = everyKind.flatMap(({ name, signals }) => signals.map((event) => `${name}.${event}`))
  return (
    <List size="sm" aria-label={words.webhooks.list}>
      {types.map((type) => {
        const { label, description } = SIGNAL_TYPES[type as keyof typeof SIGNAL_TYPES]
        return (
          <List.Item key={type}>
            {label}: {description}
          </List.Item>
        )
      })}
    </List>
  )
}
