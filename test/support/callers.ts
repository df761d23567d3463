import type { Scope } from '../../model/scopes.ts'
import type { Caller } from '../../server/caller/caller.ts'

/** A program with these scopes that acts for a person, whose role this is. */
export const programOf = (person: Caller, granted: Iterable<Scope>, role = person.role): Caller => ({
  ...person,
  role,
  credential: { type: 'api_key', id: 'key', name: 'A key', prefix: 'comply_', expiresAt: null },
  granted: new Set(granted),
})
