import { reaches } from './needs.ts'
import type { Role } from './scopes.ts'

/** What is known of a user who is asked to decide. */
export interface Decider {
  readonly active: boolean
  readonly role: Role
  /** As of model/limited-view.ts. */
  readonly limitedView: string | null
}

/**
 * Why a user cannot decide where this role is asked for, as the end of a sentence that begins with their name; null where
 * they can. Whoever is named to decide is asked for no more than to read what they decide on, unless the kind says so;
 * but a limited view leaves no decision.
 */
export function keepsFromDeciding({ active, role, limitedView }: Decider, least: Role): string | null {
  if (!active) return 'is not active here'
  if (limitedView === 'auditor') return 'is here as an auditor, and decides nothing'
  if (limitedView !== null) return 'sees only what is their own here, and decides nothing'
  return reaches(role, least) ? null : `is ${role} here and could not decide it`
}
