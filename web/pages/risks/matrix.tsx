import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Values } from '../../../model/complaint.ts'
import { PAGES } from '../../../model/pages.ts'
import { cellOf } from '../../../model/risk-matrix.ts'
import { LEVELS } from '../../../model/scales.ts'
import { kindIndex } from '../../client/kinds.ts'
import { type Filters as ListFilters, listAddress, open } from '../../client/list-address.ts'
import { type RecordSummary, useRecordAnswer } from '../../client/records.ts'
import { levelWord, riskMatrix } from '../../client/risk-matrix.ts'
import { useSignedIn } from '../../client/session.ts'
import { useKind } from '../../client/use-kind.ts'
import { AppLink } from '../../components/app-link.tsx'
import { LevelMark } from '../../components/level-mark.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Filters } from '../../components/record-list/filters.tsx'
import { inputOf, searchOf, type View, viewOf } from '../../components/record-list/view.ts'
import { RATINGS, type Rating, RiskMatrix, unassessedIn } from '../../components/risk-matrix.tsx'
import { Section } from '../../components/section.tsx'
import { countWord } from '../../copy/counts.ts'
import { matrix } from '../../copy/matrix-table.ts'
import { movement, matrixPage as words } from '../../copy/risk-matrix.ts'
import { Movement } from './movement.tsx'

const PAGE = { page: 'risks/matrix' }

const ratingSearch = (rating: Rating) => (rating === 'current' ? {} : { rating })

interface Shown {
  summary: RecordSummary
  rating: Rating
  /** Of the list behind each number. */
  filters: ListFilters
}

/** Risks by likelihood and impact, with the filters of the register, by the names they have there. */
export function RiskMatrixPage() {
  const risk = useKind(kindIndex.risk)
  const search: Values = useSearch({ strict: false })
  const navigate = useNavigate()
  const rating = RATINGS.find((one) => one === search.rating) ?? 'current'
  const view = viewOf(risk, search)
  const counted = { ...view, filters: { ...open(risk), ...view.filters } as View['filters'] }
  const filters = searchOf(counted) as ListFilters
  const summary = useRecordAnswer(risk, 'summarize', {
    ...inputOf(risk, counted).filters,
    counted: [...RATINGS, 'movement'],
  })
  const show = (next: View) =>
    void navigate({
      to: '/risks/matrix',
      search: { ...searchOf(next), ...ratingSearch(rating) } as never,
    })
  const isOpen = view.filters[risk.terminal!.field] === undefined
  const mayManage = useSignedIn().capabilities.includes('settings.manage')
  const ways = (
    <Group gap="md">
      <Anchor component={AppLink} href={listAddress(risk, filters)} size="sm">
        {words.register}
      </Anchor>
      {mayManage && (
        <Anchor component={AppLink} href={PAGES.settingsRiskMatrix} size="sm">
          {words.settings}
        </Anchor>
      )}
    </Group>
  )
  return (
    <Stack gap="lg">
      <PageHead title={words.title} text={isOpen ? words.text : words.textOfAll} action={ways} />
      <Stack gap="xs">
        <Group gap="md">
          <RatingChoice rating={rating} view={view} />
          <Text size="sm" c="dimmed">
            {words.hints[rating]}
          </Text>
        </Group>
        <Filters kind={risk} view={view} rows={[]} show={show} />
      </Stack>
      <Loaded query={summary} lines={8}>
        {(data) => (
          <>
            <Group align="flex-start" gap="lg">
              <Paper withBorder p={{ base: 'xs', sm: 'md' }} flex="1 1 480px" maw={900}>
                <RiskMatrix summary={data} rating={rating} filters={filters} />
              </Paper>
              <Levels summary={data} rating={rating} filters={filters} />
            </Group>
            <Section title={movement.title} text={movement.text}>
              <Paper withBorder p={{ base: 'xs', sm: 'md' }} maw={900}>
                <Movement summary={data} filters={filters} />
              </Paper>
            </Section>
          </>
        )}
      </Loaded>
    </Stack>
  )
}

function RatingChoice({ rating, view }: { rating: Rating; view: View }) {
  return (
    <nav aria-label={words.rating}>
      <Button.Group>
        {RATINGS.map((one) => (
          <Button
            key={one}
            component={AppLink}
            href={listAddress(PAGE, { ...(searchOf(view) as ListFilters), ...ratingSearch(one) })}
            size="xs"
            variant={one === rating ? 'light' : 'default'}
            aria-current={one === rating ? 'true' : undefined}
          >
            {matrix.ratings[one]}
          </Button>
        ))}
      </Button.Group>
    </nav>
  )
}

/** The levels by name, and what has none: each with the list behind it. */
function Levels({ summary, rating, filters }: Shown) {
  const risk = useKind(kindIndex.risk)
  const field = risk.ratings![rating]!.level
  const unassessed = unassessedIn(summary, rating)
  const row = (count: number, value: string, shown: React.ReactNode, label: string) => (
    <Group key={value} justify="space-between" wrap="nowrap">
      <Text component="span" size="sm">
        {shown}
      </Text>
      <Anchor
        component={AppLink}
        href={listAddress(risk, { ...filters, [field]: value })}
        size="sm"
        aria-label={label}
      >
        {countWord(count)}
      </Anchor>
    </Group>
  )
  return (
    <Paper withBorder p="md" component="section" aria-label={words.levels} flex="0 1 260px">
      <Stack gap={6}>
        {[...LEVELS].reverse().map((level) => {
          const count = countAt(summary, rating, level)
          return row(count, level, <LevelMark level={level} />, words.level(count, levelWord(level)))
        })}
        {row(unassessed, 'none', words.unassessed, words.level(unassessed, words.unassessed))}
        {unassessed > 0 && (
          <Text size="xs" c="dimmed">
            {words.unassessedText(rating)}
          </Text>
        )}
      </Stack>
    </Paper>
  )
}

const countAt = (summary: RecordSummary, rating: Rating, level: string): number =>
  (summary.crossed?.[rating] ?? [])
    .filter(({ across, down }) => cellOf(riskMatrix().cells, across, down)?.level === level)
    .reduce((sum, { count }) => sum + count, 0)
