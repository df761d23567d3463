import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { writtenTime } from '../../client/formats.ts'
import { forgetText, placeOf } from '../../client/kept-text.ts'
import { useSignedIn } from '../../client/session.ts'
import { ForeignText } from '../../components/foreign-text.tsx'
import { policies } from '../../copy/policies.ts'
import styles from './policies.module.css'
import { isInTheMaking, type Version } from './version.ts'
import { keptWriting } from './written.ts'

const words = policies.text
const WHEN = { dateStyle: 'medium', timeStyle: 'short' } as const

/** Tells whoever wrote in a version and did not save it that it is still there. */
export function Unsaved({ version, goOn }: { version: Version; goOn: (() => void) | null }) {
  const place = placeOf(useSignedIn(), version.id)
  const [kept, setKept] = useState(() => keptWriting(place))
  if (!kept) return null
  const discard = () => {
    forgetText(place)
    setKept(null)
  }
  return (
    <Alert color="blue" variant="light" title={words.unsaved.title}>
      <Stack gap="xs" align="start">
        <Text size="sm">{words.unsaved.text(writtenTime(new Date(kept.at), WHEN))}</Text>
        {goOn && isInTheMaking(version) ? (
          <Group gap="xs">
            <Button size="xs" onClick={goOn}>
              {words.unsaved.goOn}
            </Button>
            <Button size="xs" variant="default" onClick={discard}>
              {policies.editor.discard}
            </Button>
          </Group>
        ) : (
          <>
            <Text size="sm">{words.unsaved.closed}</Text>
            <details>
              <summary>{words.unsaved.show}</summary>
              <p className={styles.passage}>
                <ForeignText>{kept.values.content}</ForeignText>
              </p>
            </details>
            <Button size="xs" variant="default" onClick={discard}>
              {policies.editor.discard}
            </Button>
          </>
        )}
      </Stack>
    </Alert>
  )
}
