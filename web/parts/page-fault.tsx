import { Anchor, Button, Stack } from '@mantine/core'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { common } from '../words/common.ts'
import { problems } from '../words/problems.ts'
import { Entrance } from './entrance.tsx'
import { ProblemAlert } from './problem-alert.tsx'

/** Where a page could not be drawn or its data could not be had. */
export function PageFault({ error }: ErrorComponentProps) {
  return (
    <Entrance title={problems.unexpected}>
      <Stack>
        <ProblemAlert error={error} />
        <Button variant="default" onClick={() => location.reload()}>
          {problems.reload}
        </Button>
      </Stack>
    </Entrance>
  )
}

export function PageMissing() {
  return (
    <Entrance title={common.notFound.title} text={common.notFound.text}>
      <Anchor component={Link} to="/" size="sm">
        {common.notFound.back}
      </Anchor>
    </Entrance>
  )
}
