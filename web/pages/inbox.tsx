import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../client/calls.ts'
import { rowsOf, usePages } from '../client/use-pages.ts'
import { Loaded } from '../components/loaded.tsx'
import { MorePages } from '../components/more-pages.tsx'
import { PageHead } from '../components/page-head.tsx'
import { ProblemAlert } from '../components/problem-alert.tsx'
import { inbox as words } from '../copy/inbox.ts'
import { Nothing } from './inbox/nothing.tsx'
import { NoticeList } from './inbox/notice-list.tsx'
import { type Notice, readInboxAgain, VIEWS, type View } from './inbox/notices.ts'

/** What somebody was told of: first what is new, then the rest of it; and what they put away. */
export function InboxPage() {
  const [view, setView] = useState<View>('inbox')
  return (
    <Stack gap="md" maw={860}>
      <PageHead title={words.title} text={words.text} />
      <Group justify="space-between" gap="sm">
        <SegmentedControl
          size="xs"
          aria-label={words.show}
          value={view}
          onChange={(next) => setView(next as View)}
          data={VIEWS.map((one) => ({ value: one, label: words.views[one] }))}
        />
        {view === 'inbox' && <AtOnce />}
      </Group>
      {view === 'inbox' ? <Inbox /> : <PutAway key={view} view={view} />}
    </Stack>
  )
}

function Inbox() {
  const unread = usePages('listNotices', { show: 'unread' })
  const read = usePages('listNotices', { show: 'read' })
  return (
    <Loaded query={unread} lines={6}>
      {(news) => (
        <Loaded query={read} lines={6}>
          {(rest) => {
            const [fresh, earlier] = [rowsOf(news), rowsOf(rest)]
            if (fresh.length + earlier.length === 0) return <Nothing {...words.none.inbox} />
            return (
              <NoticeList
                view="inbox"
                groups={[
                  { title: words.unread, rows: fresh, none: words.seen, more: <MorePages of={unread} /> },
                  ...(earlier.length > 0
                    ? [{ title: words.read, rows: earlier, more: <MorePages of={read} /> }]
                    : []),
                ]}
              />
            )
          }}
        </Loaded>
      )}
    </Loaded>
  )
}

function PutAway({ view }: { view: 'snoozed' | 'archived' }) {
  const pages = usePages('listNotices', { show: view })
  return (
    <Loaded query={pages} lines={6}>
      {(data) => {
        const rows: Notice[] = rowsOf(data)
        if (rows.length === 0) return <Nothing {...words.none[view]} />
        return (
          <NoticeList
            view={view}
            groups={[{ title: words.views[view], rows, more: <MorePages of={pages} /> }]}
          />
        )
      }}
    </Loaded>
  )
}

/** All at once; what came since the page was read stays as it is. */
function AtOnce() {
  const reading = useMutation({ mutationFn: () => call('readAllNotices', {}), onSettled: readInboxAgain })
  const archiving = useMutation({
    mutationFn: () => call('archiveReadNotices', {}),
    onSettled: readInboxAgain,
  })
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" loading={reading.isPending} onClick={() => reading.mutate()}>
        {words.readAll}
      </Button>
      <Button size="xs" variant="default" loading={archiving.isPending} onClick={() => archiving.mutate()}>
        {words.archiveRead}
      </Button>
      <ProblemAlert error={reading.error ?? archiving.error} />
      <Text size="xs" c="dimmed" visibleFrom="md">
        {words.keys}
      </Text>
    </Group>
  )
}
