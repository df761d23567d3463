import type { Values } from '../../model/complaint.ts'
import type { Facts } from '../../model/fact.ts'
import { type Kind, principalFields } from '../../model/kind.ts'
import type { Write } from '../../model/kind-rules.ts'
import { archivingMachine, isTerminal, principalId } from '../../model/roles.ts'

/**
 * With what follows from the values: the flat ids of principals, since when it is terminal or archived by its state, and
 * what the kind derives.
 */
export function complete(kind: Kind, values: Values, facts: Facts, write: Write): Values {
  const ids = principalFields(kind).map((field) => [
    principalId(field),
    (values[field] as { refId: string } | null)?.refId ?? null,
  ])
  const set = Object.keys({ ...kind.derived, ...kind.rollups, ...kind.readings })
  const derived = Object.fromEntries(set.map((field) => [field, values[field] ?? null]))
  const all = { ...values, ...derived, ...Object.fromEntries(ids) }
  const derivedAll = { ...all, ...kind.derive(all, facts, write) }
  return {
    ...derivedAll,
    ...terminalSince(kind, derivedAll, write.time),
    ...archivedSince(kind, derivedAll, write),
  }
}

function terminalSince(kind: Kind, values: Values, now: string): Values {
  const at = kind.terminal?.at
  return at ? { [at]: isTerminal(kind, values) ? (values[at] ?? now) : null } : {}
}

function archivedSince(kind: Kind, values: Values, { before, time }: Write): Values {
  const machine = archivingMachine(kind)
  if (!machine) return {}
  const isArchived = values[machine.field] === machine.archived.state
  return { archivedAt: isArchived ? (before?.archivedAt ?? time) : null }
}
