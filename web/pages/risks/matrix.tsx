import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { kinds } from '../../../kinds/index.ts'
import type { Kind } from '../../../kinds/kind.ts'
import { LEVELS } from '../../../kinds/scales.ts'
import { listAddress, open } from '../../client/list-address.ts'
import { type RecordSummary, useRecordAnswer } from '../../client/records.ts'
import { AppLink } from '../../parts/app-link.tsx'
import { LevelMark } from '../../parts/level-mark.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RATINGS, type Rating, RiskMatrix, unassessedIn } from '../../parts/risk-matrix.tsx'
import { countWord } from '../../words/counts.ts'
import { matrix as words } from '../../words/overview.ts'

const risk = kinds.risk as unknown as Kind

export function RiskMatrixPage() {
  const { rating = 'current' } = useSearch({ from: '/inside/risks/matrix' })
  const summary = useRecordAnswer(risk, 'summarize', { ...open(risk), counted: ['riskLevel', ...RATINGS] })
  const register = (
    <Anchor component={AppLink} href={listAddress(risk)} size="sm">
      {words.register}
    </Anchor>
  )
  return (
    <Stack gap="lg">
      <PageHead title={words.title} text={words.text} action={register} />
      <Group gap="md">
        <RatingChoice rating={rating} />
        <Text size="sm" c="dimmed">
          {words.hints[rating]}
        </Text>
      </Group>
      <Loaded query={summary} lines={8}>
        {(data) => (
          <Group align="flex-start" gap="lg">
            <Paper withBorder p={{ base: 'xs', sm: 'md' }} flex="1 1 480px" maw={900}>
              <RiskMatrix summary={data} rating={rating} />
            </Paper>
            <Stack flex="0 1 260px" gap="md">
              <Levels summary={data} rating={rating} />
              <Unassessed summary={data} rating={rating} />
            </Stack>
          </Group>
        )}
      </Loaded>
    </Stack>
  )
}

function RatingChoice({ rating }: { rating: Rating }) {
  return (
    <nav aria-label={words.rating}>
      <Button.Group>
        {RATINGS.map((one) => (
          <Button
            key={one}
            component={AppLink}
            href={one === 'current' ? '/risks/matrix' : `/risks/matrix?rating=${one}`}
            size="xs"
            variant={one === rating ? 'light' : 'default'}
            aria-current={one === rating ? 'true' : undefined}
          >
            {words.ratings[one]}
          </Button>
        ))}
      </Button.Group>
    </nav>
  )
}

/** The levels by name; counted where a list can be opened by them. */
function Levels({ summary, rating }: { summary: RecordSummary; rating: Rating }) {
  const counts = new Map(summary.counts.riskLevel?.map(({ value, count }) => [value, count]))
  return (
    <Paper withBorder p="md" component="section" aria-label={words.levels}>
      <Stack gap={6}>
        {[...LEVELS].reverse().map((level) => (
          <Group key={level} justify="space-between" wrap="nowrap">
            <Text component="span" size="sm">
              <LevelMark level={level} />
            </Text>
            {rating === 'current' && (
              <Anchor
                component={AppLink}
                href={listAddress(risk, { ...open(risk), riskLevel: level })}
                size="sm"
                aria-label={words.level(counts.get(level) ?? 0, level)}
              >
                {countWord(counts.get(level) ?? 0)}
              </Anchor>
            )}
          </Group>
        ))}
      </Stack>
    </Paper>
  )
}

/** The level that follows from each rating. */
const LEVEL_OF = { inherent: 'inherentLevel', current: 'riskLevel', residual: 'residualLevel' } as const

function Unassessed({ summary, rating }: { summary: RecordSummary; rating: Rating }) {
  const count = unassessedIn(summary, rating)
  return (
    <Paper withBorder p="md" component="section" aria-label={words.unassessed}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{words.unassessed}</Text>
        <Anchor
          component={AppLink}
          href={listAddress(risk, { ...open(risk), [LEVEL_OF[rating]]: 'none' })}
          size="sm"
          aria-label={words.level(count, words.unassessed)}
        >
          {countWord(count)}
        </Anchor>
      </Group>
      {count > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          {words.unassessedText(rating)}
        </Text>
      )}
    </Paper>
  )
}
