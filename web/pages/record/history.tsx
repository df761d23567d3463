import { Group, Paper, Text, UnstyledButton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { callsOf } from '../../../model/calls.ts'
import type { KindEntry } from '../../../model/described-kind.ts'
import { actOf } from '../../client/act-of.ts'
import { verbOf } from '../../client/journal.ts'
import { described } from '../../client/kinds.ts'
import { partsMoved } from '../../client/link-told.ts'
import { recordCall } from '../../client/records.ts'
import { pagesQuery } from '../../client/use-pages.ts'
import { Changes } from '../../components/changes.tsx'
import { Chip } from '../../components/chip.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Moment } from '../../components/moment.tsx'
import { MorePages } from '../../components/more-pages.tsx'
import { NameOfId } from '../../components/name-of-id.tsx'
import { buttons } from '../../copy/buttons.ts'
import { actorName, journal } from '../../copy/journal.ts'
import { outcomes } from '../../copy/outcomes.ts'
import { record } from '../../copy/record.ts'
import styles from './record.module.css'
import { toldAction } from './told-action.ts'

const words = record.history

type Entry = Awaited<ReturnType<typeof recordCall<'history'>>>['data'][number]

/** Who did what to the record, when, and by which way; newest first. */
export function History({ kind, id }: { kind: KindEntry; id: string }) {
  const history = useInfiniteQuery(
    pagesQuery([callsOf(kind).history, { id }], (from) => recordCall(kind, 'history', { id, ...from })),
  )
  return (
    <Loaded query={history} lines={5}>
      {({ pages }) => (
        <>
          <Paper withBorder component="ol" className={styles.history} aria-label={words.title}>
            {pages.flatMap(({ data }) =>
              data.map((entry) => <HistoryEntry key={entry.id} kind={kind} entry={entry} />),
            )}
          </Paper>
          <MorePages of={history} />
        </>
      )}
    </Loaded>
  )
}

function HistoryEntry({ kind, entry }: { kind: KindEntry; entry: Entry }) {
  const { action, actor, outcome, changes, reason, requestId, time } = entry
  const verb = verbOf(action)
  const moved = verb === 'link' ? partsMoved(kind.name, changes) : null
  const whole = described(kind)
  const act = verb === 'update' && changes && whole ? actOf(whole, changes) : null
  const toldVerb = () => {
    if (act) return journal.acted(act.verb)
    return moved ? journal.relinked(moved.map(({ field }) => field.title)) : toldAction(action, outcome)
  }
  return (
    <li>
      <Group gap={6} justify="space-between" align="baseline">
        <Text size="sm">
          <Text span fw={500}>
            <bdi>{actorName(actor)}</bdi>
          </Text>
          {actor.actingUserId && actor.type !== 'user' && (
            <>
              {' '}
              {words.actsFor} <NameOfId id={actor.actingUserId} />
            </>
          )}{' '}
          {toldVerb()} <Way {...entry} />
          {outcome !== 'success' && (
            <Chip look="bad" ml={6}>
              {outcomes[outcome]}
            </Chip>
          )}
        </Text>
        <Group gap="sm" wrap="nowrap">
          <Text size="xs" c="dimmed">
            <Moment at={time} />
          </Text>
          {requestId && <CopyRequest id={requestId} />}
        </Group>
      </Group>
      {reason && (
        <Text size="sm" c="dimmed">
          <bdi>{reason}</bdi>
        </Text>
      )}
      <Changes type={kind.name} action={action} changes={changes} />
    </li>
  )
}

/** By which door, with which program and tool. */
function Way({ channel, client, tool }: Entry) {
  return (
    <Text span c="dimmed">
      {journal.ways[channel]?.told ?? channel}
      {client && (
        <>
          {' '}
          <bdi>{words.client(client)}</bdi>
        </>
      )}
      {tool && (
        <>
          , <bdi>{words.tool(tool)}</bdi>
        </>
      )}
    </Text>
  )
}

/** The beginning of the request's id, by which the log knows it; copies it whole. */
function CopyRequest({ id }: { id: string }) {
  return (
    <UnstyledButton
      className={styles.request}
      title={`${words.request} ${id}`}
      aria-label={`${buttons.copy} ${words.request.toLowerCase()} ${id}`}
      onClick={() => void navigator.clipboard.writeText(id)}
    >
      {id.slice(0, 8)}
    </UnstyledButton>
  )
}
