import type { ActorType } from '../../model/actor-type.ts'
import type { Channel } from '../../model/channel.ts'
import type { GuestPurpose } from '../../model/guest-purpose.ts'
import type { LimitedView } from '../../model/limited-view.ts'
import type { Capability, Role, Scope } from '../../model/scopes.ts'
import { ROLE_CAPABILITIES, ROLE_SCOPES } from '../../model/scopes.ts'

/**
 * Who is calling, in which organization, and with which rights. Built from a credential alone, once a
 * call; every store call takes the organization from here and from nowhere else.
 */
export interface Caller {
  readonly organizationId: string
  readonly features: Readonly<Record<string, boolean>>
  /**
   * The person it acts as, by their id in this organization: themselves in a session, the creator of a key, the
   * approver of a token.
   */
  readonly userId: string
  /** The account they sign in with, which is one in all their organizations: for what is theirs, shown to nobody. */
  readonly accountId: string
  readonly role: Role
  /** Where they see or write less than their role allows. */
  readonly limitedView: LimitedView | null
  readonly credential: Credential
  /** What the credential was granted; its effect is capped by the role. */
  readonly granted: ReadonlySet<Scope>
  readonly channel: Channel
  readonly requestId: string
  readonly ip?: string
  readonly userAgent?: string
  /** The program that calls, as it names itself, and the tool it calls: by the MCP door alone. */
  readonly client?: string
  readonly tool?: string
}

export type Credential =
  | {
      readonly type: 'api_key'
      readonly id: string
      readonly name: string
      readonly prefix: string
      readonly expiresAt: string | null
    }
  /** A token of a connected app; the id is the app's, which outlives its tokens. */
  | {
      readonly type: 'oauth_token'
      readonly id: string
      readonly name: string
      readonly clientId: string
      readonly expiresAt: string | null
    }
  | {
      readonly type: 'session'
      readonly id: string
      readonly name: string
      /** Whether the person has just proved who they are; absent on the command line, which proves it otherwise. */
      readonly isConfirmed?: boolean
      /** Whether the organization asks for a second factor, and they have none. */
      readonly lacksSecondFactor?: boolean
      /** Set where an organization's own provider vouched for them. */
      readonly providerId?: string
    }
  /** Whoever may run the command line on this machine, where a command names no person. */
  | {
      readonly type: 'operator'
      readonly id: string
      readonly name: string
      /** It is a part of the service, and nobody asked. */
      readonly isService?: true
    }
  | GuestCredential

/** The pass of somebody who is no member, as a browser of theirs shows it (guests/guest-session.ts). */
export interface GuestCredential {
  readonly type: 'guest'
  /** Of the pass. */
  readonly id: string
  /** What the person is called; their address, where nobody has said more. */
  readonly name: string
  readonly sessionId: string
  readonly purpose: GuestPurpose
  /** The one record that it is for. */
  readonly recordId: string
  /** Who they are in the directory, if they stand there. */
  readonly personId: string | null
  /** Whether they have shown in this browser that the mailbox is theirs, or none is asked for. */
  readonly isConfirmed: boolean
  /** Whether they have shown it. */
  readonly hasProvedMailbox: boolean
}

const PERSONAL: ReadonlySet<string> = new Set(['session', 'operator'] satisfies Credential['type'][])

/** A person at work (web app, command line), not a program acting for one. */
export const isPerson = (caller: Caller): boolean => PERSONAL.has(caller.credential.type)

/** The user a call acts as; none where an operator does something that no user is named for, and none of a guest. */
export const actingUserOf = (caller: Caller): string | null =>
  caller.credential.type === 'operator' || caller.credential.type === 'guest' ? null : caller.userId

/** Granted and allowed by the role as it is now. */
export const holds = (caller: Caller, scope: Scope): boolean =>
  caller.granted.has(scope) && ROLE_SCOPES[caller.role].has(scope)

export const isCapable = (caller: Caller, capability: Capability): boolean =>
  isPerson(caller) && ROLE_CAPABILITIES[caller.role].has(capability)

/** How records and the audit log name who did something. */
export interface Actor {
  readonly type: ActorType
  readonly id: string
  readonly displayName: string
}

export function actorOf(caller: Caller): Actor {
  const { credential } = caller
  const { type, id, name } = credential
  switch (type) {
    case 'api_key':
      return { type: 'api_key', id, displayName: name }
    case 'oauth_token':
      return { type: 'oauth_client', id, displayName: name }
    case 'session':
      return { type: 'user', id: caller.userId, displayName: name }
    case 'guest':
      return { type: 'guest', id: credential.personId ?? id, displayName: name }
    case 'operator':
      return { type: credential.isService ? 'service' : 'operator', id, displayName: name }
  }
}
