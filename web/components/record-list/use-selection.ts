import { useEffect, useMemo, useRef, useState } from 'react'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { type AnyRecord, recordCall } from '../../client/records.ts'

const PAGE_SIZE = 200

/** All rows of a view being read: how many are, or why they were not. */
export type Reading = { readonly read: number } | { readonly error: unknown }

/**
 * The rows that are selected: whole records, so that they stay selected where they leave the list, or never were
 * in it. Those that are in it are as they stand there.
 */
export function useSelection(
  kind: DescribedKind,
  { filters, sort, viewKey }: { filters: Values; sort: string; viewKey: string },
  rows: readonly AnyRecord[],
) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, AnyRecord>>(new Map())
  const [reading, setReading] = useState<Reading | null>(null)
  // Whether all that were there were selected at once: then all that match are offered, also once more are loaded.
  const [isOfAll, setIsOfAll] = useState(false)
  const running = useRef<AbortController>(null)
  const stop = () => {
    running.current?.abort()
    setReading(null)
  }
  const set = (records: readonly AnyRecord[]) => {
    setChosen(new Map(records.map((one) => [one.id, one])))
    setIsOfAll(records.length > 0)
  }
  const clear = () => {
    stop()
    set([])
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view has other rows
  useEffect(() => {
    clear()
    return () => running.current?.abort()
  }, [viewKey])

  const selected = useMemo(() => {
    if (chosen.size === 0) return []
    const now = new Map(rows.flatMap((row) => (chosen.has(row.id) ? [[row.id, row] as const] : [])))
    return [...chosen.values()].map((one) => newer(one, now.get(one.id)))
  }, [chosen, rows])

  /** Reads all that match, page by page, as they are now. */
  const selectMatching = async () => {
    stop()
    running.current = new AbortController()
    const { signal } = running.current
    const found = new Map<string, AnyRecord>()
    setReading({ read: 0 })
    try {
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const input = { ...filters, sort, limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) }
        const page = await recordCall(kind, 'list', input, signal)
        for (const record of page.data) found.set(record.id, record)
        setReading({ read: found.size })
        cursor = page.nextCursor
      }
      setChosen(found)
      setReading(null)
    } catch (error) {
      if (!signal.aborted) setReading({ error })
    }
  }

  return {
    selected,
    has: chosen,
    isOfAll,
    reading,
    set,
    clear,
    selectMatching,
    stopReading: stop,
    /** Turns these on or off together. */
    toggle: (records: readonly AnyRecord[], isOn: boolean) => {
      if (!isOn) setIsOfAll(false)
      setChosen((before) => {
        const after = new Map(before)
        for (const one of records) isOn ? after.set(one.id, one) : after.delete(one.id)
        return after
      })
    },
    /** Those that were changed, as they are now. */
    refresh: (records: readonly AnyRecord[]) =>
      setChosen((before) => {
        const after = new Map(before)
        for (const one of records) if (after.has(one.id)) after.set(one.id, one)
        return after
      }),
  }
}

const newer = (one: AnyRecord, other: AnyRecord | undefined): AnyRecord =>
  other && other.version >= one.version ? other : one
