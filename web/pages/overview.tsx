import { SimpleGrid, Stack } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { fetchCode } from '../client/fetch-code.ts'
import { everyKind, kindIndex } from '../client/kinds.ts'
import { useSignedIn } from '../client/session.ts'
import { useAnswer } from '../client/use-answer.ts'
import { useDrawn } from '../client/use-drawn.ts'
import { PageHead } from '../components/page-head.tsx'
import { PageBodySkeleton } from '../components/page-skeleton.tsx'
import { overview as words } from '../copy/overview.ts'
import { CategoryLevels } from './overview/category-levels.tsx'
import { ControlStatuses } from './overview/control-statuses.tsx'
import { FirstSteps } from './overview/first-steps.tsx'
import { NeedsSomebody } from './overview/needs-somebody.tsx'
import { NeedsYou } from './overview/needs-you.tsx'
import { LONGEST_OVERDUE, Overdue } from './overview/overdue.tsx'
import { RecentActivity } from './overview/recent-activity.tsx'
import { RiskLevels } from './overview/risk-levels.tsx'
import { RiskTrend } from './overview/risk-trend.tsx'
import { WebhookHealth } from './overview/webhook-health.tsx'

const FrameworkCoverage = lazy(() =>
  fetchCode(() => import('./overview/framework-coverage.tsx')).then((code) => ({
    default: code.FrameworkCoverage,
  })),
)

/** What needs one today, and where things stand; each number opens the list behind it. */
export function OverviewPage() {
  const signedIn = useSignedIn()
  const isAdmin = signedIn.capabilities.includes('settings.manage')
  const summaries = useAnswer('summarizeRegisters', {})
  const firstSteps = useAnswer('getFirstSteps', {})
  const overdue = useAnswer('listDeadlines', LONGEST_OVERDUE)
  // What is read first is drawn first; the rest in pieces, so that the page answers to its reader meanwhile.
  const isRestDue = useDrawn()
  const hasFrameworks = summaries.data?.data.some(
    ({ type, total }) => type === kindIndex.framework.name && total > 0,
  )
  const isEmpty = summaries.data?.data.every(({ total }) => total === 0) ?? false
  const head = <PageHead title={words.title} text={words.text} />
  // What decides which cards there are comes first: none is pushed away by one that comes after it.
  const [isDrawn, setIsDrawn] = useState(false)
  const isRead = !firstSteps.isPending && !overdue.isPending && (summaries.data || summaries.error)
  if (!isDrawn && isRead) setIsDrawn(true)
  if (!isDrawn)
    return (
      <Stack gap="lg">
        {head}
        <PageBodySkeleton />
      </Stack>
    )
  const late = (summaries.data?.data ?? []).flatMap(({ type, due }) => {
    const kind = everyKind.find(({ name }) => name === type)
    return kind && due && due.overdue > 0 ? [{ kind, count: due.overdue }] : []
  })
  const longest = overdue.data?.data ?? []
  const first = <FirstSteps isEmpty={isEmpty} />
  return (
    <Stack gap="lg">
      {head}
      {isEmpty ? (
        first
      ) : (
        <>
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
            <Stack gap="lg" miw={0}>
              <NeedsYou />
              {longest.length > 0 && <Overdue late={late} longest={longest} />}
              {isRestDue && (
                <>
                  <RiskLevels />
                  <ControlStatuses />
                  {hasFrameworks && (
                    <Suspense>
                      <FrameworkCoverage />
                    </Suspense>
                  )}
                </>
              )}
            </Stack>
            <Stack gap="lg" miw={0}>
              <NeedsSomebody summaries={summaries} />
              {first}
              {isRestDue && (
                <>
                  <CategoryLevels />
                  {isAdmin && <WebhookHealth />}
                </>
              )}
            </Stack>
          </SimpleGrid>
          {isRestDue && <RiskTrend />}
        </>
      )}
      {isRestDue && <RecentActivity />}
    </Stack>
  )
}
