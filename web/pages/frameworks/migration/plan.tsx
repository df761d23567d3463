import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { readAgain } from '../../../client/use-answer.ts'
import { useGuardedCall } from '../../../components/identity-guard.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { Section } from '../../../components/section.tsx'
import { frameworkMigration as words } from '../../../copy/framework-migration.ts'
import { type Choices, Fates, type Plan } from './fates.tsx'
import styles from './migration.module.css'

/** What would become of each answer, and what is left to choose before it can be done. */
export function MigrationPlan({ plan }: { plan: Plan }) {
  const guarded = useGuardedCall()
  const [choices, setChoices] = useState<Choices>({})
  const { counts, from, to, planned } = plan
  const asking = plan.requirements.filter(({ fate }) => fate === 'asked')
  const open = asking.filter(({ id }) => choices[id] === undefined)
  const starting = useMutation({
    mutationFn: () =>
      guarded('startFrameworkMigration', { fromId: from.id, toId: to.id, planned, choices: { ...choices } }),
    onSettled: () => readAgain('listFrameworkMigrations', 'planFrameworkMigration'),
  })
  const moving = counts.answers - counts.dropped
  const isDone = moving > 0 && counts.changes === 0 && asking.length === 0
  return (
    <>
      <Section title={words.summary.title}>
        <Summary counts={counts} />
      </Section>
      {isDone && <Text size="sm">{words.summary.stands}</Text>}
      {moving > 0 && !isDone && (
        <>
          <Fates
            plan={plan}
            choices={choices}
            choose={(id, choice) => setChoices({ ...choices, [id]: choice })}
          />
          <Group gap="md" className={styles.foot}>
            <Button disabled={open.length > 0} loading={starting.isPending} onClick={() => starting.mutate()}>
              {words.start(moving)}
            </Button>
            {open.length > 0 && (
              <>
                <Text size="sm">{words.open(open.length)}</Text>
                <Button
                  variant="default"
                  size="xs"
                  onClick={() =>
                    setChoices({ ...choices, ...Object.fromEntries(open.map(({ id }) => [id, null])) })
                  }
                >
                  {words.choice.rest}
                </Button>
              </>
            )}
          </Group>
          <ProblemAlert error={starting.error} />
        </>
      )}
      {counts.dropped > 0 && <Dropped plan={plan} />}
    </>
  )
}

function Summary({ counts }: { counts: Plan['counts'] }) {
  const { answers, carried, carriedToSeveral, asked, dropped, links, left } = counts
  const { summary } = words
  const facts = [
    carried > 0 && summary.carried(carried),
    carriedToSeveral > 0 && summary.carriedToSeveral(carriedToSeveral),
    asked > 0 && summary.asked(asked),
    dropped > 0 && summary.dropped(dropped),
  ].filter((one) => one !== false)
  return (
    <Stack gap={4}>
      <Text size="sm">
        {summary.answers(answers)} {facts.join(' · ')}
      </Text>
      {answers > 0 && answers === dropped && <Text size="sm">{summary.unmapped}</Text>}
      {Object.values(links).some((count) => count > 0) && (
        <Text size="sm" c="dimmed">
          {summary.links(links.control ?? 0, links.evidence ?? 0, links.task ?? 0)}
        </Text>
      )}
      {left > 0 && (
        <Text size="sm" c="dimmed" maw="72ch">
          {summary.left(left)}
        </Text>
      )}
    </Stack>
  )
}

function Dropped({ plan }: { plan: Plan }) {
  const dropped = plan.answers.filter(({ fate }) => fate === 'dropped')
  return (
    <Section title={words.dropped.title} text={words.dropped.text}>
      <ul className={styles.dropped}>
        {dropped.map(({ id, key, title }) => (
          <li key={id}>
            <span className={styles.key}>{key}</span> <bdi>{title}</bdi>
          </li>
        ))}
      </ul>
    </Section>
  )
}
