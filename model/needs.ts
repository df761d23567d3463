import type { GuestPurpose } from './guest-purpose.ts'
import type { ORGANIZATION_FEATURES } from './organization.ts'
import { type Capability, ROLE_CAPABILITIES, ROLE_SCOPES, type Role, type Scope } from './scopes.ts'

/**
 * What somebody needs to do a thing. One of the scopes `anyOf` (any valid credential will do, where it is empty), and
 * what is asked besides: a person rather than a program, a capability or a role of that person, a feature of the
 * organization. What needs a capability or a role needs a person too. What is asked of a person further
 * (server/caller/identity-requirements.ts), no program is asked.
 *
 * A value, so that an operation says it of itself and a kind of its records (access.ts), and the service, the documents
 * and the web app read the same. It is judged in one place: server/caller/rights.ts.
 */
export interface Needs {
  readonly anyOf: readonly Scope[]
  readonly capability?: Capability
  readonly person?: true
  /** The least role, of an act for which there is no scope. */
  readonly role?: Role
  /** Without it in the organization, there is no such thing for anybody. */
  readonly feature?: Feature
  /** Somebody who has just proved who they are; where inputs are named, for these alone. */
  readonly confirmed?: true | readonly ConfirmedInput[]
  /** By a credential of their own, and not one that an organization's provider vouches for. */
  readonly ownCredential?: true
  /** Open to who has yet to set up the second factor that the organization asks for. */
  readonly beforeSecondFactor?: true
  /** It sends a file, which no program does: what it can give instead is told. */
  readonly sendsFile?: true
  /** What is a person's own: their account, their inbox, what they take out. Open however limited their view is. */
  readonly ofOneself?: true
  /** Open to who sees only what is theirs, who is shown that and no more (model/limited-view.ts). */
  readonly forOwners?: true
  /** Open to auditors, whatever else it takes of others. */
  readonly auditors?: true
  /** A guest, let in for this purpose, or for any; nobody else may do it, and guests may do nothing else. */
  readonly guest?: GuestPurpose | 'any'
}

export type Feature = keyof typeof ORGANIZATION_FEATURES

/** An input by its name, whatever its value; or for all values but one, which reaches no further. */
export type ConfirmedInput = string | { readonly name: string; readonly unless: unknown }

/** Any credential that carries one of the scopes; any at all, where none is named. */
export const scope = (...anyOf: Scope[]): Needs => ({ anyOf })
/** A person whose role allows one of the scopes; any person, where none is named. */
export const person = (...anyOf: Scope[]): Needs => ({ anyOf, person: true })
export const capability = (name: Capability): Needs => ({ anyOf: [], capability: name, person: true })
/** A person of this role or a higher one: of an act for which there is no scope. */
export const leastRole = (role: Role): Needs => ({ anyOf: [], role, person: true })
/** The same, in organizations that have a feature. */
export const withFeature = (feature: Feature, needs: Needs): Needs => ({ ...needs, feature })
/** The same of a person alone. */
export const byPerson = (needs: Needs): Needs => ({ ...needs, person: true })
/** Of somebody who has just proved who they are: always, or for an input that has one of those named. */
export const confirmed = (needs: Needs, ...inputs: ConfirmedInput[]): Needs => ({
  ...needs,
  confirmed: inputs.length > 0 ? inputs : true,
})
/** Somebody who is no member, and holds a pass for this purpose; for any, where none is named. */
export const guest = (purpose: GuestPurpose | 'any' = 'any'): Needs => ({ anyOf: [], guest: purpose })
/** A person, who sends a file by it. */
export const sendingFiles = (...anyOf: Scope[]): Needs => ({ ...person(...anyOf), sendsFile: true })
/** What is a person's own in all their organizations. */
export const oneself = (): Needs => ({ ...confirmed(own()), ownCredential: true })
/** A person, of what is their own in this organization, however limited their view of it is. */
export const own = (): Needs => ({ ...person(), ofOneself: true })
/** The same of any credential. */
export const ownOf = (needs: Needs): Needs => ({ ...needs, ofOneself: true })
/** Open to auditors as well. */
export const andAuditors = (needs: Needs): Needs => ({ ...needs, auditors: true })
/** A session, whatever it was begun with: what ends it, changes it, or proves once more whose it is. */
export const anySession = (): Needs => settingUp(own())
/** Open to who has yet to set up the second factor that the organization asks for, such as for setting it up. */
export const settingUp = (needs: Needs): Needs => ({ ...needs, beforeSecondFactor: true })

/** What it takes of somebody whose view is not limited (model/limited-view.ts). */
export const withoutLimits = ({
  ofOneself: _own,
  forOwners: _owners,
  auditors: _auditors,
  ...needs
}: Needs): Needs => needs

/** Whether no program may do it, whatever it carries. */
export const isForPersons = ({ person, capability, role }: Needs): boolean =>
  person === true || capability !== undefined || role !== undefined

/** From the least. */
export const ROLES: readonly Role[] = ['viewer', 'editor', 'admin']

/** Whether one role may do all that the other may. */
export const reaches = (role: Role, least: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(least)

/** Whether there is such a thing in an organization with these features. */
export const isThere = ({ feature }: Needs, features: Readonly<Record<string, boolean>>): boolean =>
  feature === undefined || features[feature] === true

/** Whether a person of this role may do it, where it is there. */
export const allowsRole = ({ anyOf, capability, role: least }: Needs, role: Role): boolean =>
  (capability === undefined || ROLE_CAPABILITIES[role].has(capability)) &&
  (least === undefined || reaches(role, least)) &&
  (anyOf.length === 0 || anyOf.some((scope) => ROLE_SCOPES[role].has(scope)))

/** "read:risks", "read:assets or write:ai-inventory". */
export const scopesInWords = ({ anyOf }: Needs): string => anyOf.join(' or ')
