import { z } from 'zod'
import { line } from '../../model/fields.ts'
import { statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import type { Transaction } from '../database/transaction.ts'
import { nothing, oneself, operation, settingUp } from '../operation.ts'
import { notFound, Refusal } from '../refusal.ts'
import { endFactorChange, lockFactors } from './factor-changes.ts'
import { ceremony, ceremonyBegun, registrationAnswer } from './passkeys/passkey-answers.ts'
import { CEREMONY_MINUTES, newCeremony, takeCeremony } from './passkeys/passkey-ceremonies.ts'
import { relyingParty, webauthn } from './passkeys/passkey-party.ts'
import { PASSKEY_COLUMNS, type Passkey, passkey } from './passkeys/passkey-record.ts'
import type { NewPasskey } from './passkeys/passkey-registration.ts'

const MOST = 20
const name = line('Name', 100)
const id = z.string().min(1).max(100).meta({ title: 'Id' })

/** With the library, for the first passkey. */
const registration = () => import('./passkeys/passkey-registration.ts')

export const beginPasskey = operation({
  name: 'beginPasskey',
  method: 'POST',
  path: '/v1/account/sign-in-methods/passkeys/begin',
  needs: settingUp(oneself()),
  writes: true,
  title: 'Begin to add a passkey',
  input: z.strictObject({}),
  output: ceremonyBegun.meta({ id: 'PasskeyBegun' }),
  refusals: ['conflict'],
  secret: 'ceremony',
  run: async ({ tx, caller, parts }) => {
    const { email } = await lockFactors(tx, caller.accountId)
    const own = await tx.readAsGate<Own>(listOwn(caller.accountId))
    if (own.length >= MOST)
      throw new Refusal('conflict', `You have ${MOST} passkeys: remove one that you do not use.`)
    const begun = newCeremony(parts, { purpose: 'create', userId: caller.accountId, ticketHash: null })
    const { id: rpID, name: rpName } = relyingParty(parts.config)
    const { generateRegistrationOptions } = await webauthn()
    const { ALGORITHMS } = await registration()
    const options = await generateRegistrationOptions({
      rpID,
      rpName,
      userName: email,
      userDisplayName: caller.credential.name,
      userID: Uint8Array.from(Buffer.from(caller.accountId)),
      challenge: begun.challenge,
      timeout: CEREMONY_MINUTES * 60_000,
      attestationType: 'none',
      excludeCredentials: own,
      // Found without a name, and only by whoever can unlock it: so it can stand for both factors.
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS,
    })
    tx.writeAsGate(begun.keep)
    return { ceremony: begun.ceremony, options: { ...options } }
  },
})

export const createPasskey = operation({
  name: 'createPasskey',
  method: 'POST',
  path: '/v1/account/sign-in-methods/passkeys',
  needs: settingUp(oneself()),
  writes: 'own',
  title: 'Add a passkey',
  description:
    'It signs in by itself, and from now on signing in with the password asks for a second factor.',
  input: z.strictObject({ ceremony, name, response: registrationAnswer }),
  output: passkey,
  refusals: ['conflict', 'sign_in_failed'],
  location: (record) => `/v1/account/sign-in-methods/passkeys/${record.id}`,
  run: async ({ caller, parts, transaction }, { ceremony, name, response }) => {
    const waiting = await takeCeremony(parts, ['create'], ceremony)
    const { readRegistration } = await registration()
    const made = await readRegistration(parts, caller.accountId, waiting, response)
    return transaction(async ({ tx }) => {
      const before = await lockFactors(tx, caller.accountId)
      const record = await keep(tx, caller.accountId, name, made)
      const changes = { passkey: { from: null, to: name } }
      await endFactorChange(tx, caller, before, { action: 'user.add_passkey', changes })
      return record
    })
  },
})

export const updatePasskey = operation({
  name: 'updatePasskey',
  method: 'PATCH',
  path: '/v1/account/sign-in-methods/passkeys/{id}',
  needs: oneself(),
  writes: true,
  title: 'Rename a passkey',
  input: z.strictObject({ id, name }),
  output: passkey,
  annotations: { idempotent: true },
  run: async ({ tx, caller }, { id, name }) => {
    const before = await lockFactors(tx, caller.accountId)
    const [found] = await tx.readAsGate<Passkey>(find(id, caller.accountId))
    if (!found) throw notFound()
    if (found.name === name) return found
    tx.writeAsGate(rename(id, caller.accountId, name))
    const changes = { passkey: { from: found.name, to: name } }
    await endFactorChange(tx, caller, before, { action: 'user.update_passkey', changes })
    return { ...found, name }
  },
})

export const deletePasskey = operation({
  name: 'deletePasskey',
  method: 'DELETE',
  path: '/v1/account/sign-in-methods/passkeys/{id}',
  needs: oneself(),
  writes: true,
  title: 'Remove a passkey',
  description: 'Every other session of yours ends.',
  input: z.strictObject({ id }),
  output: nothing,
  refusals: ['conflict'],
  annotations: { destructive: true, idempotent: true },
  run: async ({ tx, caller }, { id }) => {
    const before = await lockFactors(tx, caller.accountId)
    const [removed] = await tx.readAsGate<Passkey>(remove(id, caller.accountId))
    if (!removed) throw notFound()
    const left = await tx.readAsGate(listOwn(caller.accountId))
    if (left.length === 0 && !before.hasPassword)
      throw new Refusal('conflict', 'You have no password, so this is how you get in: add another first.')
    const changes = { passkey: { from: removed.name, to: null } }
    await endFactorChange(tx, caller, before, { action: 'user.remove_passkey', changes, removes: true })
    return null
  },
})

async function keep(tx: Transaction, userId: string, name: string, made: NewPasskey): Promise<Passkey> {
  const { credentialId, publicKey, counter, transports, backedUp } = made
  const own = await tx.readAsGate(listOwn(userId))
  const [record] =
    own.length >= MOST
      ? []
      : await tx.readAsGate<Passkey>(
          insert(newId('psk'), userId, credentialId, publicKey, counter, transports, name, backedUp),
        )
  if (!record)
    throw new Refusal('conflict', `This passkey is kept here already, or you have ${MOST}: see the list.`)
  return record
}

interface Own {
  id: string
  transports: string[]
}

const listOwn = statement(
  'select credential_id as id, transports from passkeys where user_id = $1 order by created_at, id',
)

/** No two people have one credential, and nobody takes over another's. */
const insert = statement(`
  insert into passkeys
    (id, user_id, credential_id, public_key, counter, transports, name, backed_up, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, clock_now())
  on conflict (credential_id) do nothing
  returning ${PASSKEY_COLUMNS}`)

const find = statement(`select ${PASSKEY_COLUMNS} from passkeys where id = $1 and user_id = $2`)
const rename = statement('update passkeys set name = $3 where id = $1 and user_id = $2')
const remove = statement(`delete from passkeys where id = $1 and user_id = $2 returning ${PASSKEY_COLUMNS}`)
