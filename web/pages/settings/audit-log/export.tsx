import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { csvHead, csvRow } from '../../../client/csv.ts'
import { download } from '../../../client/download.ts'
import { useGuardedCall } from '../../../parts/identity-guard.tsx'
import { ProblemAlert } from '../../../parts/problem-alert.tsx'
import { auditLog } from '../../../words/audit-log.ts'
import { buttons } from '../../../words/buttons.ts'
import type { Entry } from './entries.tsx'
import type { AuditInput } from './filter.ts'

const words = auditLog.export

/** Reads every page of the filter and gives it as a file; what was stopped or failed goes on where it was. */
export function Export({ input, close }: { input: AuditInput; close: () => void }) {
  const call = useGuardedCall()
  const [format, setFormat] = useState<keyof typeof FORMATS>('csv')
  const [count, setCount] = useState(0)
  const taken = useRef<{ rows: string[]; cursor?: string | null }>({ rows: [] })
  const isStopped = useRef(false)
  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )
  const { head, row, type } = FORMATS[format]
  const taking = useMutation({
    mutationFn: async (): Promise<'done' | 'stopped'> => {
      isStopped.current = false
      const { rows } = taken.current
      while (taken.current.cursor !== null) {
        if (isStopped.current) return 'stopped'
        const { cursor } = taken.current
        const page = await call('listAuditLog', { ...input, limit: 200, ...(cursor ? { cursor } : {}) })
        rows.push(...page.data.map(row))
        setCount(rows.length)
        taken.current.cursor = page.nextCursor
      }
      if (isStopped.current) return 'stopped'
      download(words.file(new Date().toLocaleDateString('sv'), format), [head, ...rows], type)
      taken.current = { rows: [] }
      return 'done'
    },
  })
  const isBegun = !taking.isIdle
  return (
    <Modal opened onClose={close} title={words.title} withCloseButton={false} closeOnClickOutside={false}>
      <Stack>
        <Text size="sm">{words.text}</Text>
        <Radio.Group
          label={words.format}
          value={format}
          onChange={(value) => setFormat(value as keyof typeof FORMATS)}
        >
          <Stack gap="xs" mt={4}>
            {Object.entries(words.formats).map(([value, label]) => (
              <Radio key={value} value={value} label={label} disabled={isBegun && taking.data !== 'done'} />
            ))}
          </Stack>
        </Radio.Group>
        <Text size="sm" role="status" mih="1.5em">
          {taking.isPending && words.soFar(count)}
          {taking.data && words[taking.data](count)}
        </Text>
        <ProblemAlert error={taking.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {taking.data === 'done' ? buttons.close : buttons.cancel}
          </Button>
          {taking.isPending ? (
            <Button
              onClick={() => {
                isStopped.current = true
              }}
            >
              {words.stop}
            </Button>
          ) : (
            <Button onClick={() => taking.mutate()}>
              {isBegun && taking.data !== 'done' ? words.goOn : words.begin}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

const COLUMNS: readonly (readonly [string, (entry: Entry) => unknown])[] = [
  ['time', ({ time }) => time],
  ['action', ({ action }) => action],
  ['outcome', ({ outcome }) => outcome],
  ['reason', ({ reason }) => reason],
  ['subjectType', ({ subject }) => subject.type],
  ['subjectId', ({ subject }) => subject.id],
  ['subjectReference', ({ subject }) => subject.reference],
  ['subjectTitle', ({ subject }) => subject.title],
  ['changes', ({ changes }) => changes],
  ['actorType', ({ actor }) => actor.type],
  ['actorId', ({ actor }) => actor.id],
  ['actorName', ({ actor }) => actor.displayName],
  ['actingUserId', ({ actor }) => actor.actingUserId],
  ['channel', ({ channel }) => channel],
  ['client', ({ client }) => client],
  ['tool', ({ tool }) => tool],
  ['requestId', ({ requestId }) => requestId],
  ['ip', ({ ip }) => ip],
  ['userAgent', ({ userAgent }) => userAgent],
  ['id', ({ id }) => id],
]

const FORMATS = {
  csv: {
    type: 'text/csv',
    head: csvHead(COLUMNS.map(([name]) => name)),
    row: (entry: Entry) => csvRow(COLUMNS.map(([, value]) => value(entry))),
  },
  jsonl: {
    type: 'application/x-ndjson',
    head: '',
    row: (entry: Entry) => `${JSON.stringify(entry)}\n`,
  },
} as const
