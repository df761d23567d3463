import { ActionIcon, Button, Group, Text, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { today } from '../../client/formats.ts'
import { recordCall } from '../../client/records.ts'
import { records } from '../../copy/records.ts'
import { ProblemAlert } from '../problem-alert.tsx'
import { csvOf } from './csv.ts'

const PAGE_SIZE = 200
const words = records.csv

type State =
  | { is: 'idle' }
  | { is: 'running'; rows: number }
  | { is: 'told'; text: string }
  | { is: 'failed'; error: unknown }

/** Saves all rows of a view as a file, page by page, however many there are. */
export function ExportCsv({
  kind,
  filters,
  sort,
  total,
}: {
  kind: DescribedKind
  filters: Values
  sort: string
  total: number | undefined
}) {
  const [state, setState] = useState<State>({ is: 'idle' })
  const stopped = useRef(false)
  useEffect(
    () => () => {
      stopped.current = true
    },
    [],
  )
  const run = async () => {
    stopped.current = false
    const { head, line } = csvOf(kind)
    const parts = [head]
    let rows = 0
    setState({ is: 'running', rows })
    try {
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const input = { ...filters, sort, limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) }
        const page = await recordCall(kind, 'list', input)
        if (stopped.current) return setState({ is: 'told', text: words.stopped })
        parts.push(page.data.map(line).join(''))
        rows += page.data.length
        cursor = page.nextCursor
        setState({ is: 'running', rows })
      }
      save(`${kind.page}-${today()}.csv`, parts)
      setState({ is: 'told', text: words.saved(rows) })
    } catch (error) {
      setState({ is: 'failed', error })
    }
  }
  if (state.is === 'running')
    return (
      <Group gap="xs" wrap="nowrap">
        <progress
          aria-label={words.progress}
          style={{ width: 80 }}
          {...(total === undefined ? {} : { value: state.rows, max: Math.max(total, state.rows) })}
        />
        <Text size="xs" c="dimmed">
          {words.running(state.rows, total)}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            stopped.current = true
          }}
        >
          {words.stop}
        </Button>
      </Group>
    )
  return (
    <Group gap="xs" wrap="nowrap">
      {state.is === 'told' && (
        <Text size="xs" c="dimmed" role="status">
          {state.text}
        </Text>
      )}
      {state.is === 'failed' && <ProblemAlert error={state.error} retry={() => void run()} />}
      <Tooltip label={words.action}>
        <ActionIcon variant="default" size={30} aria-label={words.action} onClick={() => void run()}>
          <IconDownload size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}

function save(name: string, parts: readonly string[]): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([...parts], { type: 'text/csv;charset=utf-8' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href))
}
