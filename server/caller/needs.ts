import type { Capability, Scope } from '../../model/scopes.ts'

/**
 * One of `anyOf` (any valid credential, where it is empty), and what is asked besides: a capability, or a
 * person rather than a program. What needs a capability needs a person too. What is asked of a person further
 * (identity-requirements.ts), no program is asked.
 */
export interface Needs {
  readonly anyOf: readonly Scope[]
  readonly capability?: Capability
  readonly person?: true
  /** Somebody who has just proved who they are; where inputs are named, for these alone. */
  readonly confirmed?: true | readonly ConfirmedInput[]
  /** By a credential of their own, and not one that an organization's provider vouches for. */
  readonly ownCredential?: true
  /** Open to who has yet to set up the second factor that the organization asks for. */
  readonly beforeSecondFactor?: true
}

/** An input by its name, whatever its value; or for all values but one, which reaches no further. */
export type ConfirmedInput = string | { readonly name: string; readonly unless: unknown }
