import { Anchor, Stack } from '@mantine/core'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { use, useEffect } from 'react'
import { useConnectionState } from '../client/connection-state.ts'
import { isProblem, isUnreached } from '../client/problem.ts'
import { SignedInContext } from '../client/session.ts'
import { everyPage } from '../copy/every-page.ts'
import { problems } from '../copy/problems.ts'
import { Entrance } from './entrance.tsx'
import { PageHead } from './page-head.tsx'
import { ProblemAlert } from './problem-alert.tsx'

/**
 * Where a page could not be drawn or its data could not be had. It was not there yet, so nothing is typed in it,
 * and it may load anew by itself: for another version at once, and else when the service is back.
 */
export function PageFault({ error }: ErrorComponentProps) {
  const isInFrame = use(SignedInContext) !== null
  const reach = useConnectionState()
  const mayReload = isProblem(error, 'outdated') || (isUnreached(error) && reach === 'here')
  useEffect(() => {
    if (mayReload) reloadOnce()
  }, [mayReload])
  const told = <ProblemAlert error={error} reload />
  if (!isInFrame) return <Entrance title={problems.page}>{told}</Entrance>
  return (
    <Stack gap="lg">
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

/** Where nothing is at an address: in the frame for who is signed in, alone for others. */
export function PageMissing() {
  const isInFrame = use(SignedInContext) !== null
  const { title, text, back } = everyPage.missing
  const overview = (
    <Anchor component={Link} to="/" size="sm">
      {back}
    </Anchor>
  )
  if (!isInFrame)
    return (
      <Entrance title={title} text={text}>
        {overview}
      </Entrance>
    )
  return (
    <Stack gap="lg" align="flex-start">
      <PageHead title={title} text={text} />
      {overview}
    </Stack>
  )
}
