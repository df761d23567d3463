import { Button, Checkbox, Group, Modal, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call, type Input } from '../../../client/calls.ts'
import { readAgain } from '../../../client/use-answer.ts'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { buttons } from '../../../copy/buttons.ts'
import { deliveries } from '../../../copy/deliveries.ts'
import { type Progressed, redeliverEach } from './redeliver-each.ts'

const words = deliveries.many

type Filters = Omit<Input<'listWebhookDeliveries'>, 'limit' | 'cursor'>
const FINISHED = ['failed', 'not_sent', 'delivered'] as const
type Finished = (typeof FINISHED)[number]

const LOOKED_AT = 2_000

/** What fits the filters, sent again: counted first, then one after another, until it is done or stopped. */
export function RedeliverMany({ filters: given, close }: { filters: Filters; close: () => void }) {
  // What is near now moves on; what was counted is what is sent.
  const [filters] = useState(given)
  const [found, setFound] = useState(0)
  const counted = useQuery({
    queryKey: ['redeliver', filters],
    queryFn: ({ signal }) => count(filters, setFound, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  const [chosen, setChosen] = useState<readonly Finished[]>(['failed', 'not_sent'])
  const [progress, setProgress] = useState<Progressed | null>(null)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  const ids = counted.data
    ? FINISHED.flatMap((one) => (chosen.includes(one) ? counted.data.ids[one] : []))
    : []
  const isRunning = progress !== null && !progress.isOver
  const start = async () => {
    running.current = new AbortController()
    await redeliverEach(ids, setProgress, running.current.signal)
    await readAgain('listWebhookDeliveries', 'getWebhookDelivery')
  }
  return (
    <Modal
      opened
      onClose={() => !isRunning && close()}
      title={words.title}
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      <Stack>
        <Text size="sm">{words.text}</Text>
        <ProblemAlert error={counted.error} retry={() => void counted.refetch()} />
        {counted.isPending && (
          <Text size="sm" role="status">
            {words.counting(found)}
          </Text>
        )}
        {counted.data && !progress && <Choice counted={counted.data} chosen={chosen} choose={setChosen} />}
        {progress && <Course progress={progress} />}
        <Group justify="flex-end" gap="xs">
          {isRunning ? (
            <Button variant="default" onClick={() => running.current?.abort()}>
              {words.stop}
            </Button>
          ) : (
            <Button variant="default" onClick={close} data-autofocus>
              {progress ? buttons.close : buttons.cancel}
            </Button>
          )}
          {!progress && ids.length > 0 && (
            <Button onClick={() => void start()}>{words.submit(ids.length)}</Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

interface Counted {
  ids: Record<Finished, string[]>
  unfinished: number
  isBounded: boolean
}

function Choice({
  counted: { ids, unfinished, isBounded },
  chosen,
  choose,
}: {
  counted: Counted
  chosen: readonly Finished[]
  choose: (chosen: readonly Finished[]) => void
}) {
  const there = FINISHED.filter((one) => ids[one].length > 0)
  return (
    <>
      {there.length === 0 && <Text size="sm">{words.none}</Text>}
      {there.length > 0 && (
        <Checkbox.Group label={words.which} value={[...chosen]} onChange={(all) => choose(all as Finished[])}>
          <Stack gap="xs" mt={6}>
            {there.map((one) => (
              <Checkbox
                key={one}
                value={one}
                label={words.of(deliveries.statuses[one], ids[one].length)}
                description={one === 'delivered' ? words.delivered : undefined}
              />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      {(unfinished > 0 || isBounded) && (
        <Text size="sm" c="dimmed">
          {unfinished > 0 && words.unfinished(unfinished)} {isBounded && words.bounded(LOOKED_AT)}
        </Text>
      )}
    </>
  )
}

function Course({
  progress: { done, all, delivered, failed, refused, isOver, isLost },
}: {
  progress: Progressed
}) {
  return (
    <Stack gap={6}>
      <Progress.Root>
        <Progress.Section value={(done / all) * 100} aria-label={words.title} />
      </Progress.Root>
      <Text size="sm" role="status">
        {words.progress(done, all)}: {words.outcome(delivered, failed, refused)}. {isLost && words.lost}{' '}
        {isOver && (done < all ? words.stopped(all - done) : words.finished)}
      </Text>
    </Stack>
  )
}

/** Goes through the log, newest first, up to a bound. */
async function count(
  filters: Filters,
  found: (number: number) => void,
  signal: AbortSignal,
): Promise<Counted> {
  const ids: Counted['ids'] = { failed: [], not_sent: [], delivered: [] }
  let [seen, unfinished] = [0, 0]
  let cursor: string | null = null
  do {
    const page: { data: { id: string; status: string }[]; nextCursor: string | null } = await call(
      'listWebhookDeliveries',
      { ...filters, limit: 200, ...(cursor ? { cursor } : {}) },
    )
    for (const { id, status } of page.data)
      if (Object.hasOwn(ids, status)) ids[status as Finished].push(id)
      else unfinished += 1
    seen += page.data.length
    found(seen)
    cursor = page.nextCursor
  } while (cursor && seen < LOOKED_AT && !signal.aborted)
  return { ids, unfinished, isBounded: cursor !== null }
}
