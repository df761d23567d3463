import { Anchor, Button, FileButton, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useState } from 'react'
import type { KindEntry } from '../../../model/described-kind.ts'
import { call } from '../../client/calls.ts'
import { type BulkChange, follow, sendImportFile } from '../../client/send-file.ts'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { importing } from '../../copy/imports.ts'

const words = importing.file
const ACCEPTED = '.csv,.tsv,.txt,.xlsx,.json'

/** Takes a file from a dialog or from what is dropped, and sends it. */
export function ChooseFile({
  kind,
  read,
}: {
  kind: KindEntry
  read: (bulk: BulkChange, file: File) => void
}) {
  const [isOver, setIsOver] = useState(false)
  const sending = useMutation({
    mutationFn: (file: File) => sendImportFile({ type: kind.name }, file),
    onSuccess: read,
  })
  const template = useMutation({
    mutationFn: async () => follow(await call('getImportTemplate', { type: kind.name })),
  })
  const take = (file: File | null | undefined) => {
    if (file && !sending.isPending) sending.mutate(file)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    take(event.dataTransfer.files[0])
  }
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {words.title}
      </Title>
      <Text size="sm" c="dimmed">
        {words.text}
      </Text>
      <ProblemAlert error={sending.error} />
      <Stack
        align="center"
        gap="xs"
        p="xl"
        onDrop={drop}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        style={{
          border: '2px dashed var(--mantine-color-default-border)',
          borderRadius: 'var(--mantine-radius-md)',
          background: isOver ? 'var(--mantine-color-default-hover)' : undefined,
        }}
      >
        {sending.isPending ? (
          <Group gap="xs" role="status">
            <Loader size="sm" />
            <Text size="sm">{words.reading(sending.variables.name)}</Text>
          </Group>
        ) : (
          <>
            <FileButton onChange={take} accept={ACCEPTED}>
              {(props) => <Button {...props}>{words.choose}</Button>}
            </FileButton>
            <Text size="sm" c="dimmed">
              {words.drop}
            </Text>
          </>
        )}
      </Stack>
      <Anchor component="button" type="button" size="sm" ta="left" onClick={() => template.mutate()}>
        {words.template}
      </Anchor>
      <ProblemAlert error={template.error} />
    </Stack>
  )
}
