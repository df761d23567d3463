import { type Access, needsOf } from './access.ts'
import { decidedBy, type Shape } from './fields.ts'
import type { LeftTo, Waiting } from './kind.ts'
import { allowsRole, ROLES, reaches } from './needs.ts'
import type { Role } from './scopes.ts'

/*
 * Who can take up what waits. Nobody is asked whose role does not let them; but a role may change while a record waits:
 * then it is shown to nobody as theirs.
 */

interface Waits {
  readonly access: Access
  readonly leftTo?: LeftTo
  readonly fields: Shape
}

/** Whether a role may take up what of these records waits for whom it names. */
export const mayTakeUp = (kind: Waits, { while: { field }, whom }: Waiting, role: Role): boolean => {
  const least = decidedBy(kind.fields[whom]!)
  return least ? reaches(role, least) : isLeftTo(kind, field, whom) || mayChangeIt(kind, role)
}

/** The least role of whom a field may name, where records wait for them; none where any will do. */
export function roleAsked(
  kind: Waits & { readonly waits: readonly Waiting[] },
  field: string,
): Role | undefined {
  const waiting = kind.waits.filter(({ whom }) => whom === field)
  const least = ROLES.find((role) => waiting.every((one) => mayTakeUp(kind, one, role)))
  return least === ROLES[0] ? undefined : least
}

/** Whether a role may take up what names nobody. */
export const mayChangeIt = (kind: Waits, role: Role): boolean => {
  const needs = needsOf(kind, 'update') ?? needsOf(kind, 'create')
  return needs === undefined || allowsRole(needs, role)
}

/** Whether whoever that field names sets the other one by an operation of theirs. */
const isLeftTo = ({ leftTo }: Waits, field: string, whom: string): boolean =>
  leftTo?.whom === whom && field in leftTo.by
