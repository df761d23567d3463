import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { writableFields } from '../../../model/access.ts'
import { callsOf } from '../../../model/calls.ts'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { allowsRole } from '../../../model/needs.ts'
import type { CallName } from '../../client/calls.ts'
import { undefinedOnly } from '../../client/custom-fields.ts'
import { fieldAt, gathered, spread } from '../../client/custom-values.ts'
import { Declined } from '../../client/declined.ts'
import { type Field, fieldsOf, isChangeable } from '../../client/fields.ts'
import { parentKind } from '../../client/kinds.ts'
import { begunBy } from '../../client/only-while.ts'
import { isProblem, Problem } from '../../client/problem.ts'
import { queries } from '../../client/queries.ts'
import {
  type AnyRecord,
  callLeft,
  countAgain,
  inputLeft,
  keepRecord,
  mayDo,
  recordCall,
  recordQuery,
} from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { complaintText } from '../../copy/complaint.ts'
import { record as words } from '../../copy/record.ts'
import { isSameWhere, withChange } from './record-change.ts'

/*
 * Changes of a record, field by field. Each is seen at once, goes to the service when those before it are
 * done, and is confirmed, or rolled back with what was wanted kept beside the reason.
 *
 * The version sent is the one whose value of the field the person saw. Where others changed other fields
 * meanwhile, nothing is in the way, and it is sent once more on that; where they changed this one, the person
 * chooses.
 */

export type Edit =
  | { readonly state: 'saving'; readonly change: Values }
  | { readonly state: 'refused'; readonly change: Values; readonly message: string }
  | { readonly state: 'conflict'; readonly change: Values; readonly theirs: AnyRecord }

export interface Edits {
  /** The record with what is under way. */
  readonly shown: AnyRecord
  of(field: string): Edit | undefined
  /**
   * @param change what is sent; the first field of it is where it is shown
   * @param seen the record as the person saw it when they began
   */
  save(change: Values, seen: AnyRecord): void
  drop(field: string): void
  /** Whether the person may give it another value, and the record lets them. */
  mayChange(field: Field): boolean
  /** Whether they may change no more of it than what is left to whom it names. */
  readonly isLeft: boolean
}

export function useRecordEdits(kind: DescribedKind, record: AnyRecord): Edits {
  const guarded = useGuardedCall()
  const signedIn = useSignedIn()
  const [edits, setEdits] = useState<Readonly<Record<string, Edit>>>({})
  const before = useRef<Promise<unknown>>(Promise.resolve())
  const put = (place: string, edit: Edit) => setEdits((all) => ({ ...all, [place]: edit }))
  const drop = (place: string) => setEdits(({ [place]: _done, ...others }) => others)

  const send = async (change: Values, seen: AnyRecord): Promise<void> => {
    const place = placeOf(change)
    const now = queries.getQueryData(recordQuery(kind, 'get', { id: record.id }).queryKey) as AnyRecord
    const ifMatch = isSameWhere(change, seen, now) ? now.version : seen.version
    try {
      const input = { id: record.id, ifMatch, ...change }
      const left = callLeft(kind, place, signedIn)
      const after: unknown = left
        ? await guarded(left, { id: record.id, ifMatch, ...inputLeft(kind, seen, change) } as never)
        : await guarded(callsOf(kind).update as CallName, gathered(input) as never)
      keepRecord(kind, spread(after) as AnyRecord)
      drop(place)
      void countAgain(kind)
    } catch (error) {
      if (!isProblem(error, 'version_mismatch'))
        return put(place, { state: 'refused', change, message: messageOf(kind, place, error) })
      const theirs = await recordCall(kind, 'get', { id: record.id })
      keepRecord(kind, theirs)
      void countAgain(kind)
      // It had arrived already, and only its answer was lost.
      if (isSameWhere(change, withChange(theirs, change), theirs)) return drop(place)
      if (isSameWhere(change, seen, theirs)) return send(change, theirs)
      put(place, { state: 'conflict', change, theirs })
    }
  }

  const save = (given: Values, seen: AnyRecord) => {
    const change = { ...given, ...begunBy(kind, given, seen) }
    const place = placeOf(change)
    put(place, { state: 'saving', change })
    before.current = before.current
      .then(() => send(change, seen))
      .catch((error: unknown) =>
        put(place, { state: 'refused', change, message: messageOf(kind, place, error) }),
      )
  }

  const underWay = Object.values(edits).filter(({ state }) => state === 'saving')
  const values = underWay.reduce((shown, { change }) => withChange(shown, change), record)
  const seen = underWay.length > 0 ? { ...values, ...kind.derive(values) } : record
  return {
    shown: kind.defined ? { ...seen, customFields: undefinedOnly(kind, seen.customFields) } : seen,
    of: (field) => edits[field],
    save,
    drop,
    mayChange: useChangeable(kind, record),
    isLeft: !mayDo(kind, 'update', signedIn),
  }
}

/** What a person may change of a record: neither what another role writes, nor what stands as it came in or is archived. */
function useChangeable(kind: DescribedKind, record: AnyRecord): Edits['mayChange'] {
  const { settled, uploads } = kind
  const signedIn = useSignedIn()
  const above = settled?.isAbove ? parentKind(kind) : undefined
  const parent = useQuery({
    ...recordQuery(above ?? kind, 'get', { id: String(record[kind.under?.field ?? '']) }),
    enabled: above !== undefined,
  })
  const holder = above ? (parent.data as AnyRecord | undefined) : record
  const isSettled = settled !== undefined && holder?.[settled.field] === settled.value
  const writable = writableFields(kind, (needs) => allowsRole(needs, signedIn.role))
  if (record.archivedAt) return () => false
  if (!mayDo(kind, 'update', signedIn))
    return ({ name }) => (record[name] ?? null) !== null && callLeft(kind, name, signedIn) !== undefined
  const seen = uploads?.settledFields?.[String(record[uploads.state])]
  return (field) =>
    isChangeable(kind, field) &&
    !seen?.includes(field.name) &&
    writable?.includes(field.name) !== false &&
    !(settled?.fields.includes(field.name) && (isSettled || !holder))
}

const placeOf = (change: Values): string => Object.keys(change)[0]!

/** What the service said of this field, or of whatever else stands in the way, by its title. */
function messageOf(kind: DescribedKind, place: string, error: unknown): string {
  if (error instanceof Declined) return words.refused
  if (!(error instanceof Problem)) throw error
  if (error.errors.length === 0) return error.message
  return error.errors
    .map(({ path, message }) => {
      const names = [...fieldsOf(kind).keys()]
      const field = fieldAt(path, names) ?? path.split('.')[0]!
      const inner = path.slice(field.length + 1).split('.')
      const title = field === place ? '' : (fieldsOf(kind).get(field)?.title ?? field)
      const known = fieldsOf(kind).get(field)
      const part =
        known?.form === 'pairs' ? inner.join('.') : known?.parts.find(({ name }) => name === inner[0])?.title
      return complaintText(
        message,
        [title, part].flatMap((one) => one || []),
      )
    })
    .join(' ')
}
