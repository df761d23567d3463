import { type RecordActionVerb, recordAction } from '../../model/audit-actions.ts'
import type { Values } from '../../model/complaint.ts'
import { deadlineMovers } from '../../model/deadlines.ts'
import type { Kind, SignalEvent } from '../../model/kind.ts'
import { linkedIds } from '../../model/relations.ts'
import { nameOf } from '../../model/roles.ts'
import type { SignalType } from '../../model/signal-types.ts'
import { actorOf, type Caller } from '../caller/caller.ts'
import type { Subject } from '../journal/audit.ts'
import type { Signal } from '../journal/write.ts'
import type { JournalledEvent } from '../journal/write-many.ts'
import { changesBetween, isWatched, toldValue } from './changes.ts'

/* What is told of a write of a record, however many are written with it: its entry, and its signal. */

/** Of a record that was just made. */
export const creationOf = (kind: Kind, record: Values): JournalledEvent => ({
  event: {
    time: record.createdAt as string,
    action: recordAction(kind, 'create'),
    subject: subjectOf(kind, record),
  },
  signal: signalOf(kind, 'created', record),
})

export interface RecordMove {
  /** As it is written: with its version, and who wrote it when. */
  readonly record: Values
  readonly told: JournalledEvent
  /** Whether deadlines of the record may begin, move or end by it. */
  readonly movesDeadlines: boolean
}

/**
 * Of a change.
 * @param after the values that it comes to
 * @param said for its entry: why, where nobody asked for this change itself, and what was done
 * @returns null where nothing is another
 */
export function changeOf(
  kind: Kind,
  caller: Caller,
  before: Values,
  after: Values,
  time: string,
  { reason, verb = 'update' }: { reason?: string | undefined; verb?: RecordActionVerb | undefined } = {},
): RecordMove | null {
  const changes = changesBetween(kind, before, after)
  if (Object.keys(changes).length === 0) return null
  const record: Values = {
    ...after,
    version: (before.version as number) + 1,
    updatedAt: time,
    updatedBy: actorOf(caller),
  }
  const event = {
    time,
    action: recordAction(kind, verb),
    subject: subjectOf(kind, record),
    changes,
    ...(reason ? { reason } : {}),
  }
  const signal = isWatched(kind, changes) ? signalOf(kind, 'updated', record, { changes }) : null
  const movesDeadlines = deadlineMovers(kind).some((field) => record[field] !== before[field])
  return { record, told: { event, signal }, movesDeadlines }
}

/** Of a deletion: its entry has all that stood in the record. */
export function deletionOf(kind: Kind, before: Values, time: string, reason?: string): JournalledEvent {
  const lists = linkedIds(kind).map(([field]) => field)
  const changes = Object.fromEntries(
    Object.entries(before).flatMap(([field, from]) =>
      from === null || field in kind.rollups || field in kind.readings || lists.includes(field)
        ? []
        : [[field, { from: toldValue(kind, field, from), to: null }]],
    ),
  )
  const event = {
    time,
    action: recordAction(kind, 'delete'),
    subject: subjectOf(kind, before),
    changes,
    ...(reason ? { reason } : {}),
  }
  return { event, signal: signalOf(kind, 'deleted', before) }
}

/** How entries and signals name the record. */
export function subjectOf(kind: Kind, record: Values): Subject {
  const { id, reference } = record as Record<string, string>
  return { type: kind.name, id: id!, reference: reference!, title: nameOf(kind, record) }
}

/** Of what happened to a record; none where its kind raises none of that. */
function signalOf(kind: Kind, event: SignalEvent, record: Values, more: object = {}): Signal | null {
  if (!kind.signals.includes(event)) return null
  return { type: `${kind.name}.${event}` as SignalType, data: { record, ...more } }
}
