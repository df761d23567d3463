import { use } from 'react'
import { type DescribedKind, describedKind, type KindEntry } from '../../model/described-kind.ts'
import { kindFiles } from '../kinds/index.ts'
import { fetchCode } from './fetch-code.ts'
import { keepKind } from './kinds.ts'

/*
 * All of a kind is fetched when something of it is opened. Whoever draws its fields asks by `useKind`, and is drawn
 * once they are there; whoever sees it coming asks ahead by `describeAhead`, so that they come beside the records and
 * not behind them.
 */

const asked = new Map<string, Promise<DescribedKind>>()
const failed = new Set<string>()

/**
 * All of a kind. What could not be fetched is asked for again.
 * @throws {Problem}
 */
export function describe(entry: KindEntry): Promise<DescribedKind> {
  const { name } = entry
  const before = asked.get(name)
  if (before && !failed.delete(name)) return before
  const read = async () => {
    try {
      const { data, rules } = await fetchCode(kindFiles[name]!)
      const kind = describedKind(entry, data, rules)
      keepKind(kind)
      return kind
    } catch (error) {
      failed.add(name)
      throw error
    }
  }
  const promise = read()
  asked.set(name, promise)
  // As React marks what it has waited for: a kind that is there is drawn at once.
  void promise.then(
    (value) => Object.assign(promise, { status: 'fulfilled', value }),
    () => {},
  )
  return promise
}

/** The same for whoever only sees it coming: what went wrong is told to who needs it. */
export function describeAhead(...entries: readonly KindEntry[]): void {
  for (const entry of entries) void describe(entry).catch(() => {})
}

/** All of a kind; what asks for it is drawn when it is there. */
export function useKind(entry: KindEntry): DescribedKind
export function useKind(entry: KindEntry | undefined): DescribedKind | undefined
export function useKind(entry: KindEntry | undefined): DescribedKind | undefined {
  // Also where it is known: what waited is drawn again from there, and React takes further hooks behind `use` alone.
  return entry && use(asked.get(entry.name) ?? describe(entry))
}
