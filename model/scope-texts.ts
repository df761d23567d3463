import type { Kind } from './kind.ts'
import { SCOPES, type Scope } from './scopes.ts'

/** What is there beside the kinds. */
const BESIDE_KINDS: readonly string[] = ['read:organization', 'read:users', 'read:webhooks', 'write:webhooks']

type Accessible = Pick<Kind, 'access'>

/**
 * Whether there is anything yet that the scope opens. All are offered, so that a key need not be made anew.
 * @param kinds all there are
 */
export const isInUse = (scope: Scope, kinds: readonly Accessible[]): boolean =>
  BESIDE_KINDS.includes(scope) ||
  kinds.some(({ access }) => Object.values(access).some(({ anyOf }) => anyOf.includes(scope)))

/** What a scope allows, wherever it is offered. */
export const scopeText = (scope: Scope, kinds: readonly Accessible[]): string =>
  isInUse(scope, kinds) ? SCOPES[scope] : `${SCOPES[scope]} (nothing uses this yet)`
