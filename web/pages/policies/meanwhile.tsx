import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { fetchCode } from '../../client/fetch-code.ts'
import { policies } from '../../copy/policies.ts'
import styles from './policies.module.css'
import type { Version } from './version.ts'

const words = policies.editor.meanwhile

const Comparison = lazy(() =>
  fetchCode(() => import('./comparison.tsx')).then((code) => ({ default: code.Comparison })),
)

/** What was saved while somebody wrote, beside what they wrote: nobody's text takes the place of another unseen. */
export function Meanwhile({
  saved,
  content,
  keep,
  take,
}: {
  saved: Version
  content: string
  /** Goes on with what was written, to be saved in the place of the other. */
  keep: () => void
  take: () => void
}) {
  const box = useRef<HTMLDivElement>(null)
  // Whoever pressed Save is at the other end of a long text.
  useEffect(() => {
    box.current?.focus({ preventScroll: true })
    box.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <Alert
      ref={box}
      color="yellow"
      variant="light"
      role="alert"
      tabIndex={-1}
      className={styles.meanwhile!}
      title={words.title}
    >
      <Stack gap="sm">
        <Text size="sm">{words.text}</Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={keep}>
            {words.keep}
          </Button>
          <Button size="xs" variant="default" onClick={take}>
            {words.take}
          </Button>
        </Group>
        <Suspense>
          <Comparison
            from={{ ...saved, text: null }}
            to={{ ...saved, text: null, content }}
            label={words.label}
            sides={[words.saved, words.yours]}
          />
        </Suspense>
      </Stack>
    </Alert>
  )
}
