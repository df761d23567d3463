import type { Caller } from '../caller/caller.ts'
import type { Transaction } from '../database/transaction.ts'
import { audit } from '../journal/audit.ts'

/** Of a policy, and of its version that people are asked about; null where it asks about none any more. */
interface Round {
  readonly policyId: string
  readonly reference: string
  readonly title: string
  readonly version: string | null
}

/** An entry is of a size that a page of the log can show, however many are asked. */
const PEOPLE_AN_ENTRY = 500

/**
 * Notes who is asked from now on and of whom nothing is asked any more, each by the id of the person: an auditor is shown
 * that somebody was asked, and when, and a leaver is not taken for somebody who was left out.
 */
export async function noteRound(
  { tx, caller }: { readonly tx: Transaction; readonly caller: Caller },
  { policyId, reference, title, version }: Round,
  people: {
    readonly asked: readonly string[]
    /** Each with the version that they were asked about. */
    readonly ended: readonly { readonly personId: string; readonly version: string }[]
  },
): Promise<void> {
  const time = await tx.now
  const ended = [...Map.groupBy(people.ended, (one) => one.version)].map(
    ([of, all]) => ['ended', 'attestation.end', of, all.map(({ personId }) => personId)] as const,
  )
  const noted = [['asked', 'attestation.request', version, people.asked] as const, ...ended]
  for (const [count, action, version, ids] of noted)
    for (const some of inPieces(ids))
      audit(tx, caller, {
        time,
        action,
        subject: { type: 'policy', id: policyId, reference, title },
        changes: {
          ...(version === null ? {} : { version: { from: null, to: version } }),
          [count]: { from: null, to: some.length },
          personIds: { from: null, to: some },
        },
      })
}

const inPieces = (ids: readonly string[]): (readonly string[])[] =>
  Array.from({ length: Math.ceil(ids.length / PEOPLE_AN_ENTRY) }, (_, at) =>
    ids.slice(at * PEOPLE_AN_ENTRY, (at + 1) * PEOPLE_AN_ENTRY),
  )
