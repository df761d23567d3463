import type { Logger } from 'pino'
import { type Database, type Query, statement } from '../database/connect.ts'
import type { Keyring } from './keyring.ts'

/**
 * Credentials that are kept as keyed hashes. A hash cannot be made anew without the credential, so one that was
 * made with an older master key is replaced when the credential is next shown. The row names its key in
 * `hashed_with`, so that an operator knows what would be lost with an old one; rows from before that was
 * recorded have none.
 */
export interface HashedColumn {
  readonly table: string
  readonly column: string
  /** SQL: still good for anything. */
  readonly isLive: string
  /** In reports, with what brings them under the first key. */
  readonly title: string
  readonly movesWhen: string
  /** SQL: whom to ask, of what does not move or end by itself. */
  readonly whose?: string
}

export const HASHED = {
  apiKey: {
    table: 'api_keys',
    column: 'secret_hash',
    isLive: 'revoked_at is null and (expires_at is null or expires_at > clock_now())',
    title: 'API keys',
    movesWhen: 'each moves with its next call; one that is never used has to be replaced',
    whose: 'prefix',
  },
  session: {
    table: 'sessions',
    column: 'secret_hash',
    isLive: 'expires_at > clock_now()',
    title: 'Sessions',
    movesWhen: 'each moves when its person comes back, and ends after two weeks in any case',
  },
  oneTimeLink: {
    table: 'one_time_links',
    column: 'secret_hash',
    isLive: 'expires_at > clock_now()',
    title: 'Invitations and other links that work once',
    movesWhen: 'each moves when it is opened, and ends after a week in any case',
  },
  guestLink: {
    table: 'guest_links',
    column: 'secret_hash',
    isLive: `exists (select from guest_passes p where p.organization_id = guest_links.organization_id
      and p.id = pass_id and p.revoked_at is null and p.expires_at > clock_now())`,
    title: 'Links of guest passes',
    movesWhen: 'each moves when it is opened; one that is never opened has to be sent again',
  },
  guestSession: {
    table: 'guest_sessions',
    column: 'secret_hash',
    isLive: "last_seen_at > clock_now() - interval '30 minutes'",
    title: 'Guests who are here',
    movesWhen: 'each moves with its next call, and ends after half an hour without one',
  },
  knownDevice: {
    table: 'known_devices',
    column: 'secret_hash',
    isLive: 'expires_at > clock_now()',
    title: 'Browsers that are known for their people',
    movesWhen: 'each moves when its person signs in there; without it, they are strangers there once',
  },
  recoveryCode: {
    table: 'recovery_codes',
    column: 'code_hash',
    isLive: 'true',
    title: 'Recovery codes',
    movesWhen: 'their people have to make new ones',
    whose: '(select email from users where id = user_id)',
  },
} as const satisfies Record<string, HashedColumn>

export type HashedName = keyof typeof HASHED

/** Keyed hashes that are over within a day: none of them names its key, and nobody waits longer for one. */
export const HASHED_FOR_A_DAY = [
  'guest_sessions.code_hash',
  'idempotency_answers.body_hash',
  'passkey_ceremonies.challenge_hash',
  'passkey_ceremonies.secret_hash',
  'passkey_ceremonies.ticket_hash',
  'sign_in_counts.key',
  'sign_in_tickets.secret_hash',
  'sign_ins_begun.browser_hash',
  'sign_ins_begun.state_hash',
] as const

/** What the keyring is given of the service, to find what it hashed or sealed. */
export interface KeyringParts {
  readonly keyring: Keyring
  readonly database: Database
  readonly log: Logger
}

/**
 * Keeps a credential that was just found under the first key from now on. Where it cannot, the credential stays
 * as it is and goes on working: its next use tries again.
 * @param hashedWith the id of the key it was found under
 */
export async function keepUnderFirstKey(
  { keyring, database, log }: KeyringParts,
  name: keyof typeof replace,
  credential: string,
  hashedWith: string | null,
): Promise<void> {
  if (hashedWith === keyring.firstId) return
  try {
    const hashes = keyring.hashes(credential)
    await database.gate.query(replace[name](hashes, keyring.hash(credential), keyring.firstId))
  } catch (err) {
    log.warn({ err, credential: name }, 'a credential could not be kept under the first master key')
  }
}

const replaceIn = ({ table, column }: HashedColumn): ((...values: unknown[]) => Query) =>
  statement(`update ${table} set ${column} = $2, hashed_with = $3 where ${column} = any($1)`)

const replace = {
  apiKey: replaceIn(HASHED.apiKey),
  session: replaceIn(HASHED.session),
  oneTimeLink: replaceIn(HASHED.oneTimeLink),
  guestLink: replaceIn(HASHED.guestLink),
  guestSession: replaceIn(HASHED.guestSession),
}
