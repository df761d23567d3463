import { everyKind } from './kinds/index.ts'
import { SCOPES, type Scope } from './scopes.ts'

/** What is there beside the kinds. */
const BESIDE_KINDS: readonly string[] = ['read:organization', 'read:users', 'read:webhooks', 'write:webhooks']

/** Whether there is anything yet that the scope opens. All are offered, so that a key need not be made anew. */
export const isInUse = (scope: Scope): boolean =>
  BESIDE_KINDS.includes(scope) || everyKind.some((kind) => scope.slice(scope.indexOf(':') + 1) === kind.scope)

/** What a scope allows, wherever it is offered. */
export const scopeText = (scope: Scope): string =>
  isInUse(scope) ? SCOPES[scope] : `${SCOPES[scope]} (nothing uses this yet)`
