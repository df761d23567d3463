import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { csvHead, csvRow } from '../../../../model/csv.ts'
import { download } from '../../../client/download.ts'
import { today } from '../../../client/formats.ts'
import { useGuardedCall } from '../../../components/identity-guard.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { auditLog } from '../../../copy/audit-log.ts'
import { buttons } from '../../../copy/buttons.ts'
import type { Entry } from './entry.ts'
import type { AuditInput } from './filter.ts'

const words = auditLog.export

/** Reads every page of the filter and gives it as a file; what was stopped or failed goes on where it was. */
export function Export({
  input,
  initial,
  close,
}: {
  input: AuditInput
  initial: ExportFormat
  close: () => void
}) {
  const call = useGuardedCall()
  const [format, setFormat] = useState(initial)
  const [count, setCount] = useState(0)
  const taken = useRef<Taken>({ rows: [], count: 0 })
  const isStopped = useRef(false)
  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )
  const taking = useMutation({
    mutationFn: async (): Promise<'done' | 'stopped'> => {
      isStopped.current = false
      const { head, read, type, file } = FORMATS[format]
      while (taken.current.cursor !== null) {
        if (isStopped.current) return 'stopped'
        const { cursor } = taken.current
        const page = await read(call, input, cursor ? { cursor } : {})
        taken.current.rows.push(...page.rows)
        taken.current.count += page.count
        taken.current.cursor = page.cursor
        setCount(taken.current.count)
      }
      if (isStopped.current) return 'stopped'
      download(file(today()), [head, ...taken.current.rows], type)
      taken.current = { rows: [], count: 0 }
      return 'done'
    },
  })
  const isBegun = !taking.isIdle
  return (
    <Modal opened onClose={close} title={words.title} withCloseButton={false} closeOnClickOutside={false}>
      <Stack>
        <Text size="sm">{format === 'sealed' ? words.sealedText : words.text}</Text>
        <Radio.Group
          label={words.format}
          value={format}
          onChange={(value) => setFormat(value as ExportFormat)}
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
  ['actingUserName', ({ actor }) => actor.actingUserName],
  ['channel', ({ channel }) => channel],
  ['client', ({ client }) => client],
  ['tool', ({ tool }) => tool],
  ['requestId', ({ requestId }) => requestId],
  ['ip', ({ ip }) => ip],
  ['userAgent', ({ userAgent }) => userAgent],
  ['id', ({ id }) => id],
  ['sealSeq', ({ seal }) => seal?.seq],
  ['sealHash', ({ seal }) => seal?.hash],
  ['sealedAt', ({ seal }) => seal?.sealedAt],
]

export type ExportFormat = keyof typeof words.formats

type Call = ReturnType<typeof useGuardedCall>

/** What was read so far, and where to go on: at the start where there is no cursor, nowhere where it is null. */
interface Taken {
  rows: string[]
  count: number
  cursor?: string | null
}

interface Format {
  readonly type: string
  readonly head: string
  file(day: string): string
  read(call: Call, input: AuditInput, from: { cursor?: string }): Promise<Required<Taken>>
}

/** What the filter shows, a row each. */
const listed =
  (row: (entry: Entry) => string): Format['read'] =>
  async (call, input, from) => {
    const { data, nextCursor } = await call('listAuditLog', { ...input, limit: 200, ...from })
    return { rows: data.map(row), count: data.length, cursor: nextCursor }
  }

const FORMATS = {
  csv: {
    type: 'text/csv',
    head: csvHead(COLUMNS.map(([name]) => name)),
    file: (day) => words.file(day, 'csv'),
    read: listed((entry) => csvRow(COLUMNS.map(([, value]) => value(entry)))),
  },
  jsonl: {
    type: 'application/x-ndjson',
    head: '',
    file: (day) => words.file(day, 'jsonl'),
    read: listed((entry) => `${JSON.stringify(entry)}\n`),
  },
  sealed: {
    type: 'application/x-ndjson',
    head: '',
    file: words.sealedFile,
    read: async (call, { from, to }, place) => {
      const span = { ...(from ? { from } : {}), ...(to ? { to } : {}) }
      const { lines, nextCursor } = await call('exportAuditLog', { ...span, limit: 1_000, ...place })
      const count = lines.filter((line) => line.startsWith('{"entry":')).length
      return { rows: lines.map((line) => `${line}\n`), count, cursor: nextCursor }
    },
  },
} satisfies Record<ExportFormat, Format>
