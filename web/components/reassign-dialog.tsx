import { Alert, Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { KindEntry } from '../../model/described-kind.ts'
import { ownerOf, principalId } from '../../model/roles.ts'
import { call } from '../client/calls.ts'
import { everyKind } from '../client/kinds.ts'
import { mayDo, type Principal, readRecordsAgain, recordCall } from '../client/records.ts'
import type { BulkChange } from '../client/send-file.ts'
import { useSignedIn } from '../client/session.ts'
import { buttons } from '../copy/buttons.ts'
import { countedRecords } from '../copy/counts.ts'
import { handOver as words } from '../copy/members.ts'
import { registerWords } from '../copy/records.ts'
import { Loaded } from './loaded.tsx'
import { folded } from './picker.tsx'
import { ProblemAlert } from './problem-alert.tsx'

type From = Pick<Principal, 'type' | 'refId' | 'displayName'>

interface Run {
  done: number
  all: number
  changed: number
  faults: readonly string[]
  state: 'running' | 'stopped' | 'done'
  error?: unknown
}

/** Gives everything that somebody owns to somebody else: an update for each record, which can be stopped. */
export function ReassignDialog({ from, close }: { from: From; close: () => void }) {
  const signedIn = useSignedIn()
  const kinds = everyKind.filter((kind) => ownerOf(kind) && mayDo(kind, 'update', signedIn))
  const owned = useQuery({ queryKey: ['hand-over', from.refId], queryFn: () => countOwned(kinds, from) })
  const [to, setTo] = useState('')
  const [run, setRun] = useState<Run | null>(null)
  const stop = useRef(false)
  const begin = async (all: number) => {
    stop.current = false
    const [type, refId] = to.split(' ') as [Principal['type'], string]
    const tell = (told: Partial<Run>) => setRun((before) => ({ ...before!, ...told }))
    setRun({ done: 0, all, changed: 0, faults: [], state: 'running' })
    try {
      await giveEach(kinds, from, { type, refId }, tell, () => stop.current)
      tell({ state: stop.current ? 'stopped' : 'done' })
    } catch (error) {
      tell({ state: 'stopped', error })
    }
    await Promise.all([...kinds.map(readRecordsAgain), owned.refetch()])
  }
  const isRunning = run?.state === 'running'
  return (
    <Modal
      opened
      onClose={close}
      title={words.title(from.displayName)}
      withCloseButton={false}
      closeOnClickOutside={!isRunning}
      closeOnEscape={!isRunning}
    >
      <Stack>
        <Text size="sm">{words.text}</Text>
        <Loaded query={owned} lines={2}>
          {(counts) => {
            const all = counts.reduce((sum, { count }) => sum + count, 0)
            return (
              <Stack>
                {!run && <Text size="sm">{all === 0 ? words.nothing : words.counts(named(counts))}</Text>}
                {!run && all > 0 && <ChooseOwner from={from} value={to} choose={setTo} />}
                {run && <Progress {...run} />}
                <Group justify="flex-end" gap="xs">
                  {isRunning ? (
                    <Button
                      variant="default"
                      onClick={() => {
                        stop.current = true
                      }}
                    >
                      {words.stop}
                    </Button>
                  ) : (
                    <Button variant="default" onClick={close}>
                      {run ? buttons.close : buttons.cancel}
                    </Button>
                  )}
                  {!run && all > 0 && (
                    <Button disabled={to === ''} onClick={() => void begin(all)}>
                      {words.submit}
                    </Button>
                  )}
                </Group>
              </Stack>
            )
          }}
        </Loaded>
      </Stack>
    </Modal>
  )
}

const ownedBy = (kind: KindEntry, { refId }: From) => ({ [principalId(ownerOf(kind)!)]: [refId] })

const countOwned = (kinds: readonly KindEntry[], from: From) =>
  Promise.all(
    kinds.map(async (kind) => {
      const { total } = await recordCall(kind, 'summarize', { ...ownedBy(kind, from), counted: ['total'] })
      return { kind, count: total }
    }),
  )

const named = (counts: readonly { kind: KindEntry; count: number }[]): string[] =>
  counts.filter(({ count }) => count > 0).map(({ kind, count }) => countedRecords(count, registerWords(kind)))

const PAGE_SIZE = 100

/** Page by page and one after another, so that a stop is at once and the service has time for others. */
async function giveEach(
  kinds: readonly KindEntry[],
  from: From,
  owner: Pick<Principal, 'type' | 'refId'>,
  tell: (told: Partial<Run>) => void,
  isStopped: () => boolean,
): Promise<void> {
  let [done, changed] = [0, 0]
  const faults: string[] = []
  for (const kind of kinds) {
    let cursor: string | null = null
    do {
      const page: { data: readonly { id: string }[]; nextCursor: string | null } = await recordCall(
        kind,
        'list',
        { ...ownedBy(kind, from), sort: 'createdAt', limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) },
      )
      if (isStopped()) return
      if (page.data.length > 0) {
        const given = await give(kind, page.data, owner)
        changed += given.changed
        faults.push(...given.faults)
        done += page.data.length
        tell({ done, changed, faults: [...faults] })
      }
      cursor = page.nextCursor
    } while (cursor)
  }
}

const OFTEN = 700

/** One change for all of a page: what is refused is told, and the others are given. */
async function give(
  kind: KindEntry,
  records: readonly { id: string }[],
  owner: Pick<Principal, 'type' | 'refId'>,
): Promise<{ changed: number; faults: readonly string[] }> {
  const ids = records.map(({ id }) => id)
  const change = { [ownerOf(kind)!]: owner }
  let bulk: BulkChange = await call('startBulkEdit', { type: kind.name, ids, change })
  const { id } = bulk
  if ((bulk.planned?.change ?? 0) > 0) bulk = await call('applyBulkChange', { id, rows: 'good' })
  while (bulk.stage === 'applying' && bulk.job?.endedAt === null) {
    await new Promise((resolve) => setTimeout(resolve, OFTEN))
    bulk = await call('getBulkChange', { id })
  }
  const isWhole = (bulk.planned?.error ?? 0) + (bulk.done?.refused ?? 0) === 0
  const { problems } = isWhole ? { problems: [] } : await call('summarizeBulkChange', { id })
  const faults = problems.map((one) => `${one.records.join(', ')}: ${one.message}`)
  return { changed: bulk.done?.changed ?? 0, faults }
}

function ChooseOwner({
  from,
  value,
  choose,
}: {
  from: From
  value: string
  choose: (value: string) => void
}) {
  const [q, setQ] = useState('')
  const principals = useQuery({
    queryKey: ['listOwnershipPrincipals', { q }],
    queryFn: () => call('listOwnershipPrincipals', { limit: 100, ...(q.trim() ? { q: q.trim() } : {}) }),
    placeholderData: keepPreviousData,
  })
  const others = folded(principals.data?.data ?? []).filter(
    ({ refId, linkedUserId, linkedPersonnelId }) =>
      ![refId, linkedUserId, linkedPersonnelId].includes(from.refId),
  )
  return (
    <Stack gap="xs">
      <ProblemAlert error={principals.error} />
      <TextInput
        label={words.search}
        type="search"
        value={q}
        onChange={({ currentTarget }) => setQ(currentTarget.value)}
      />
      <NativeSelect
        label={words.to}
        description={words.toHint}
        value={value}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[
          { value: '', label: words.choose },
          ...others.map(({ type, refId, displayName }) => ({
            value: `${type} ${refId}`,
            label: `${displayName} (${words[type]})`,
          })),
        ]}
      />
    </Stack>
  )
}

function Progress({ done, all, changed, faults, state, error }: Run) {
  return (
    <Stack gap="xs">
      <progress
        value={done}
        max={Math.max(all, done, 1)}
        aria-label={words.progress}
        style={{ width: '100%' }}
      />
      <Text size="sm" role="status">
        {state === 'running' && words.running(done, all)}
        {state === 'stopped' && words.stopped} {state !== 'running' && words.done(changed)}
      </Text>
      <ProblemAlert error={error} />
      {faults.length > 0 && (
        <Alert color="red" title={words.faults(faults.length)}>
          <Text component="ul" size="sm" m={0} pl="md" mah={160} style={{ overflowY: 'auto' }}>
            {faults.map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </Text>
        </Alert>
      )}
    </Stack>
  )
}
