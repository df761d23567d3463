import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { call } from '../client/calls.ts'
import type { Deadline } from '../client/deadlines.ts'
import { today, writtenTime } from '../client/formats.ts'
import { useSignedIn } from '../client/session.ts'
import { AppLink } from '../components/app-link.tsx'
import { Loaded } from '../components/loaded.tsx'
import { PageHead } from '../components/page-head.tsx'
import { calendarFeed, calendar as words } from '../copy/calendar.ts'
import { CalendarFilters, ownersOf, type Shown, shownBy } from './calendar/filters.tsx'
import { monthAfter, weeksOf } from './calendar/month.ts'
import { MonthGrid } from './calendar/month-grid.tsx'

const MONTH = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const
const A_PAGE = 200
const PAGES_AT_MOST = 5

/** What is due in a month; the address says which, of whom, of which kinds and frameworks. */
export function CalendarPage() {
  const search = useSearch({ strict: false }) as { month?: string } & Partial<Shown>
  const navigate = useNavigate()
  const month = /^\d{4}-(0[1-9]|1[0-2])$/.test(search.month ?? '') ? search.month! : today().slice(0, 7)
  const shown = shownBy(search, useSignedIn())
  const weeks = weeksOf(month)
  const query = useQuery({
    queryKey: ['listDeadlines', { month, ...shown }],
    queryFn: () => dueWithin(weeks[0]![0]!, weeks.at(-1)![6]!, shown),
    // What was done with an entry is told also when it leads to another month.
    placeholderData: keepPreviousData,
  })
  const show = (next: Partial<typeof search>) =>
    navigate({ to: '.', search: { ...search, ...next } as never, replace: true })
  const name = writtenTime(new Date(`${month}-01`), MONTH)
  return (
    <Stack gap="md">
      <PageHead
        title={words.title}
        text={words.text}
        action={
          <Anchor component={AppLink} href="/account/profile" size="sm">
            {calendarFeed.title}
          </Anchor>
        }
      />
      <Group justify="space-between" gap="sm">
        <Group gap={6}>
          <Button
            variant="default"
            size="xs"
            px={6}
            aria-label={words.earlier}
            onClick={() => void show({ month: monthAfter(month, -1) })}
          >
            <IconChevronLeft size={16} aria-hidden />
          </Button>
          <Button
            variant="default"
            size="xs"
            px={6}
            aria-label={words.later}
            onClick={() => void show({ month: monthAfter(month, 1) })}
          >
            <IconChevronRight size={16} aria-hidden />
          </Button>
          <Button variant="default" size="xs" onClick={() => void show({ month: today().slice(0, 7) })}>
            {words.today}
          </Button>
          <Text component="h2" fz="lg" fw={600} m={0} ml={6} aria-live="polite">
            {name}
          </Text>
        </Group>
        <CalendarFilters show={shown} change={show} />
      </Group>
      <Loaded query={query} lines={10}>
        {({ due, isAll }) => (
          <>
            {!isAll && <Text size="sm">{words.tooMany(due.length)}</Text>}
            <MonthGrid
              month={month}
              name={name}
              weeks={weeks}
              due={due}
              follow={(day) => void show({ month: day.slice(0, 7) })}
            />
          </>
        )}
      </Loaded>
    </Stack>
  )
}

/** All of it, as far as a month can be looked at. */
async function dueWithin(from: string, to: string, { whose, kind, framework }: Shown) {
  const owners = await ownersOf(whose)
  const due: Deadline[] = []
  let cursor: string | null = null
  for (let page = 0; page < PAGES_AT_MOST; page += 1) {
    const answer: { data: Deadline[]; nextCursor: string | null } = await call('listDeadlines', {
      from,
      to,
      limit: A_PAGE,
      ...(owners && { ownerId: owners }),
      ...(kind !== '' && { type: [kind] }),
      ...(framework !== '' && { frameworkId: [framework] }),
      ...(cursor !== null && { cursor }),
    })
    due.push(...answer.data)
    cursor = answer.nextCursor
    if (cursor === null) break
  }
  return { due, isAll: cursor === null }
}
