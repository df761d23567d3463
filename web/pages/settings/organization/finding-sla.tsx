import { Alert, Anchor, Button, Group, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call, type Output } from '../../../client/calls.ts'
import { organizationSettings } from '../../../client/fields.ts'
import { queries } from '../../../client/queries.ts'
import { readAgain, useAnswer } from '../../../client/use-answer.ts'
import { useGuardedCall } from '../../../components/identity-guard.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { Section } from '../../../components/section.tsx'
import { useForm } from '../../../components/use-form.ts'
import { organization as copy } from '../../../copy/organization.ts'

const words = copy.findingSla

type Organization = Output<'getOrganization'>
type Days = Organization['findingSlaDays']
type Severity = keyof Days
type Name = `findingSlaDays.${Severity}`

const SEVERITIES = organizationSettings.findingSlaDays!.parts as readonly { name: Severity; title: string }[]
const nameOf = (severity: Severity): Name => `findingSlaDays.${severity}`

/** While the job runs, how often it is asked how far it has come. */
const LOOK_MS = 2_000

/** In how many days findings are to be resolved: what a change would move is told before it is saved. */
export function FindingSla({ organization }: { organization: Organization }) {
  const guarded = useGuardedCall()
  const [base, setBase] = useState(organization)
  const [isSaved, setIsSaved] = useState(false)
  const save = async (findingSlaDays: Days) => {
    const after = await guarded('updateOrganization', { ifMatch: organization.version, findingSlaDays })
    queries.setQueryData(['getOrganization', {}], after)
    setIsSaved(true)
    await readAgain('listJobs', 'previewFindingSla')
  }
  const { form, field, typed, set, problem, isSending } = useForm({
    initial: typedOf(organization.findingSlaDays),
    optional: SEVERITIES.map(({ name }) => nameOf(name)),
    send: (typed) => save(daysOf(typed)),
  })
  // It was read again: what was not touched here follows, and what was typed stays.
  if (organization.version !== base.version) {
    const [now, before] = [typedOf(organization.findingSlaDays), typedOf(base.findingSlaDays)]
    for (const { name } of SEVERITIES)
      if (typed[nameOf(name)] === before[nameOf(name)]) set(nameOf(name), now[nameOf(name)])
    setBase(organization)
  }
  const isTouched = SEVERITIES.some(({ name }) => daysOf(typed)[name] !== organization.findingSlaDays[name])
  return (
    <Section title={words.title} text={words.text}>
      <Paper withBorder p={{ base: 'md', sm: 'lg' }}>
        <form {...form} onChange={() => setIsSaved(false)}>
          <Stack gap="md">
            <ProblemAlert error={problem} />
            <SimpleGrid cols={{ base: 2, sm: 5 }} spacing="md">
              {SEVERITIES.map(({ name, title }) => (
                <TextInput
                  key={name}
                  {...field(nameOf(name))}
                  label={title}
                  type="number"
                  min={1}
                  max={3_650}
                  step={1}
                  placeholder={words.noDate}
                />
              ))}
            </SimpleGrid>
            <Group justify="space-between" gap="sm">
              {isTouched ? (
                <Preview days={daysOf(typed)} />
              ) : (
                <Left again={() => save(organization.findingSlaDays)} />
              )}
              <Group gap="sm" ml="auto">
                <Text size="sm" c="dimmed" role="status">
                  {isSaved && copy.saved}
                </Text>
                <Button type="submit" loading={isSending}>
                  {words.submit}
                </Button>
              </Group>
            </Group>
          </Stack>
        </form>
      </Paper>
    </Section>
  )
}

/** What a setting would move. */
function Preview({ days }: { days: Days }) {
  const [asked] = useDebouncedValue(days, 200)
  const input = { findingSlaDays: asked }
  const { data } = useQuery({
    queryKey: ['previewFindingSla', input],
    queryFn: () => call('previewFindingSla', input),
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (!data) return null
  const ways = words.ways(data)
  return (
    <Text size="sm" role="status">
      {words.moves(data.moves)}
      {ways && `: ${ways}.`}
    </Text>
  )
}

/** The job that moves them, or what is left of one that did not come to its end. */
function Left({ again }: { again: () => Promise<unknown> }) {
  const [isRunning, setIsRunning] = useState(false)
  const jobs = useAnswer(
    'listJobs',
    { state: ['waiting', 'running'], limit: 50 },
    { refetchInterval: isRunning ? LOOK_MS : false },
  )
  const left = useAnswer('previewFindingSla', {})
  const job = jobs.data?.data.find(({ kind }) => kind === 'moveFindingDueDates')
  useEffect(() => {
    if (isRunning && jobs.data && !job) void readAgain('previewFindingSla')
    setIsRunning(job !== undefined)
  }, [isRunning, job, jobs.data])
  if (job)
    return (
      <Text size="sm" role="status">
        {words.running(job.done, job.total)}
      </Text>
    )
  if (!jobs.data || isRunning || !left.data || left.data.moves === 0) return null
  return (
    <Alert p="xs" variant="light">
      <Text size="sm">
        {words.left(left.data.moves)}{' '}
        <Anchor component="button" type="button" size="sm" onClick={() => void again()}>
          {words.move}
        </Anchor>
      </Text>
    </Alert>
  )
}

const typedOf = (days: Days) =>
  Object.fromEntries(SEVERITIES.map(({ name }) => [nameOf(name), String(days[name] ?? '')])) as Record<
    Name,
    string
  >

const daysOf = (typed: Record<Name, string>) =>
  Object.fromEntries(
    SEVERITIES.map(({ name }) => [
      name,
      typed[nameOf(name)].trim() === '' ? null : Number(typed[nameOf(name)]),
    ]),
  ) as Days
