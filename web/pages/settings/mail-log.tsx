import { Stack, Text } from '@mantine/core'
import { type Row, rowsOf, usePages } from '../../client/use-pages.ts'
import { Chip, type Look } from '../../components/chip.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Moment } from '../../components/moment.tsx'
import { MorePages } from '../../components/more-pages.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { countWord } from '../../copy/counts.ts'
import { mailLog as words } from '../../copy/notifications.ts'

type Mail = Row<'listMails'>

const LOOKS: Readonly<Record<Mail['state'], Look>> = {
  waiting: 'waits',
  sent: 'good',
  refused: 'bad',
  given_up: 'bad',
  dropped: 'quiet',
}

/** For admins: what was mailed, to whom, and what came of it. */
export function MailLogPage() {
  const pages = usePages('listMails', {})
  return (
    <Stack gap="lg">
      <PageHead title={words.title} text={words.text} />
      <Loaded query={pages} lines={6}>
        {(data) =>
          rowsOf(data).length === 0 ? (
            <Text size="sm">{words.empty}</Text>
          ) : (
            <DataTable label={words.title} columns={COLUMNS} rows={rowsOf(data)} />
          )
        }
      </Loaded>
      <MorePages of={pages} />
    </Stack>
  )
}

const COLUMNS: readonly Column<Mail>[] = [
  {
    label: words.columns.to,
    cell: ({ name, address }) => (
      <>
        <bdi>{name}</bdi>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {address}
        </Text>
      </>
    ),
  },
  {
    label: words.columns.state,
    cell: ({ state, failure }) => (
      <Stack gap={2} align="flex-start">
        <Chip look={LOOKS[state]}>{words.states[state]}</Chip>
        {failure !== null && (
          <Text size="xs" maw="44ch">
            {failure}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    label: words.columns.about,
    cell: ({ about, noticeCount }) =>
      about === 'notices' ? words.notices(noticeCount) : words.guests[about],
  },
  { label: words.columns.attempts, cell: ({ attempts }) => countWord(attempts) },
  { label: words.columns.next, cell: ({ dueAt }) => dueAt && <Moment at={dueAt} /> },
  { label: words.columns.at, cell: ({ createdAt }) => <Moment at={createdAt} /> },
]
