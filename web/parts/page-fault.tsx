import { Anchor, Stack } from '@mantine/core'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { use, useEffect } from 'react'
import { isProblem, isUnreached } from '../client/problem.ts'
import { useReach } from '../client/reach.ts'
import { SignedInContext } from '../client/session.ts'
import { everyPage } from '../words/every-page.ts'
import { problems } from '../words/problems.ts'
import { Entrance } from './entrance.tsx'
import { PageHead } from './page-head.tsx'
import { ProblemAlert } from './problem-alert.tsx'

/**
 * Where a page could not be drawn or its data could not be had. It was not there yet, so nothing is typed in it,
 * and it may load anew by itself: for another version at once, and else when the service is back.
 */
export function PageFault({ error }: ErrorComponentProps) {
  const isInFrame = use(SignedInContext) !== null
  const reach = useReach()
  const mayReload = isProblem(error, 'outdated') || (isUnreached(error) && reach === 'here')
  useEffect(() => {
    if (mayReload) reloadOnce()
  }, [mayReload])
  const told = <ProblemAlert error={error} reload />
  if (!isInFrame) return <Entrance title={problems.page}>{told}</Entrance>
  return (
    <Stack gap="lg" maw={720}>
      <PageHead title={problems.page} />
      {told}
    </Stack>
  )
}

const RELOADED = 'plumbline-reloaded'
const SOON = 30_000

/** Where two versions answer in turn, a page must not reload for ever: then it waits for the person. */
function reloadOnce(): void {
  const before = Number(sessionStorage.getItem(RELOADED))
  if (Date.now() - before < SOON) return
  sessionStorage.setItem(RELOADED, String(Date.now()))
  location.reload()
}

export function PageMissing() {
  return (
    <Entrance title={everyPage.missing.title} text={everyPage.missing.text}>
      <Anchor component={Link} to="/" size="sm">
        {everyPage.missing.back}
      </Anchor>
    </Entrance>
  )
}
