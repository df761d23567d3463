import { Alert, Button, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { call, type Input, type Output } from '../../client/calls.ts'
import { queries } from '../../client/queries.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { PlaceInput } from '../../components/place-input.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { notifications as words } from '../../copy/notifications.ts'

type Settings = Output<'getNoticeSettings'>
type Kind = Settings['kinds'][number]
type Change = Input<'updateNoticeSettings'>

const CHOICES = Object.entries(words.mails.choices).map(([value, label]) => ({ value, label }))
const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))

/** How somebody is told; each choice holds as soon as it is made. */
export function NotificationsPage() {
  const settings = useAnswer('getNoticeSettings', {})
  const saving = useMutation({
    mutationFn: (change: Change) => call('updateNoticeSettings', change),
    onSuccess: (after) => queries.setQueryData(['getNoticeSettings', {}], after),
  })
  const save = (change: Change) => saving.mutate(change)
  return (
    <Stack gap="lg">
      <PageHead title={words.title} text={words.text} />
      <ProblemAlert error={saving.error} />
      <Loaded query={settings} lines={6}>
        {(now) => (
          <>
            {now.bouncedAt && <Bounced email={now.email} again={() => save({ tryMailAgain: true })} />}
            {!now.sendsMail && <Alert color="gray">{words.mails.none}</Alert>}
            <Mails settings={now} save={save} />
            <Daily settings={now} save={save} />
          </>
        )}
      </Loaded>
      <Text size="sm" c="dimmed" role="status">
        {saving.isSuccess && words.saved}
      </Text>
    </Stack>
  )
}

interface Of {
  settings: Settings
  save: (change: Change) => void
}

function Mails({ settings: { kinds }, save }: Of) {
  const columns: Column<Kind & { id: string }>[] = [
    {
      label: words.mails.what,
      cell: ({ title, who }) => (
        <>
          <strong>{title}</strong>
          <Text size="xs" c="dimmed">
            {who}
          </Text>
        </>
      ),
    },
    {
      label: words.mails.when,
      cell: ({ name, title, mail }) => (
        <NativeSelect
          size="xs"
          aria-label={words.mails.of(title)}
          data={CHOICES}
          value={mail}
          onChange={({ currentTarget: { value } }) => save({ mails: { [name]: value as Kind['mail'] } })}
        />
      ),
    },
  ]
  const rows = kinds.map((kind) => ({ ...kind, id: kind.name }))
  return (
    <Card title={words.mails.title} text={words.mails.gathered}>
      <DataTable label={words.mails.title} columns={columns} rows={rows} />
    </Card>
  )
}

function Daily({ settings: { dailyHour, timezone, organizationTimezone }, save }: Of) {
  return (
    <Card title={words.daily.title} text={words.daily.text}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} maw={560}>
        <NativeSelect
          label={words.daily.hour}
          data={HOURS}
          value={String(dailyHour)}
          onChange={({ currentTarget: { value } }) => save({ dailyHour: Number(value) })}
        />
        <PlaceInput
          place="timeZone"
          label={words.daily.zone}
          value={timezone}
          change={(code) => save({ timezone: code })}
        />
      </SimpleGrid>
      <Text size="xs" c="dimmed" mt={4}>
        {words.daily.ofOrganization(organizationTimezone)}
      </Text>
    </Card>
  )
}

function Bounced({ email, again }: { email: string; again: () => void }) {
  return (
    <Alert color="red" title={words.bounced.title(email)}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{words.bounced.text}</Text>
        <Button size="xs" variant="default" onClick={again}>
          {words.bounced.again}
        </Button>
      </Stack>
    </Alert>
  )
}
