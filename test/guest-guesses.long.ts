import { randomBytes, randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { remindReaders } from '../server/attestations/reminders.ts'
import { openGuest } from './support/guest.ts'
import { addressOf, consentTo, type Rounds, startRounds } from './support/rounds.ts'

/*
 * Promise: whoever guesses links or codes, ten thousand times and from as many addresses as they like, opens nothing, has
 * few tries that count, and spends none of anybody else's.
 */

const GUESSES = 10_000
/** Codes of a pass since its last link, and tries of a code. */
const CODES = 45
const TRIES = 5

let rounds: Rounds
beforeAll(async () => {
  rounds = await startRounds()
})
afterAll(() => rounds?.close())

async function mailedTo(department: string) {
  await rounds.person(department)
  const { id, versionId } = await rounds.policyFor(department)
  await remindReaders(rounds.one.service)
  return { id, versionId, link: (await rounds.mailed(department)).link }
}

const tally = (among: Map<string, number>, { status, body }: { status: number; body: { code?: string } }) => {
  const told = `${status} ${body.code ?? ''}`
  among.set(told, (among.get(told) ?? 0) + 1)
}

test('the secret of a link', async () => {
  const { id, versionId, link } = await mailedTo('Links')
  const told = new Map<string, number>()
  const origin = rounds.one.service.config.publicUrl
  for (let at = 0; at < GUESSES; at += 50)
    for (const reply of await Promise.all(
      Array.from({ length: 50 }, (_, each) =>
        rounds.door.send(null, 'POST', '/web/openGuestPass', {
          body: { token: randomBytes(32).toString('base64url') },
          headers: { origin, 'x-forwarded-for': `198.51.${Math.floor(at / 250)}.${each}` },
        }),
      ),
    ))
      tally(told, reply)
  for (const each of told.keys()) expect(['422 link_invalid', '429 rate_limited']).toContain(each)
  expect((await rounds.only(id)).status).toBe('requested')
  const { data } = await rounds.ask(rounds.acme.admin, 'listGuestPasses', { recordId: versionId })
  expect(data).toMatchObject([{ uses: 0, state: 'open' }])
  expect((await openGuest(rounds.door).open(link)).status).toBe(200)
})

test('the code, by whoever holds a link that was forwarded', async () => {
  const { id, versionId, link } = await mailedTo('Codes')
  const { link: ofNeighbour } = await mailedTo('Neighbour')
  const owner = openGuest(rounds.door)
  await owner.open(link)
  const { body: read } = await owner.call('readPolicyAsGuest')
  await owner.call('sendGuestCode', {}, { 'x-forwarded-for': '192.0.2.1' })
  const [ownCode = ''] = /^\d{6}/.exec((await rounds.mailed('Codes')).subject)!
  const told = new Map<string, number>()
  let codes = 0
  let guesses = 0
  for (let hour = 0; guesses < GUESSES; hour++) {
    for (let each = 0; each < 20; each++) {
      const thief = openGuest(rounds.door)
      await thief.open(link)
      const from = { 'x-forwarded-for': `203.0.113.${(hour * 20 + each) % 250}` }
      if ((await thief.call('sendGuestCode', {}, from)).status === 200) codes++
      for (let guess = 0; guess < 25; guess++, guesses++)
        tally(
          told,
          await thief.call('confirmGuestCode', { code: String(randomInt(1_000_000)).padStart(6, '0') }, from),
        )
    }
    // What the owner was mailed before is good in their browser: nobody spent its tries.
    if (hour === 0)
      expect((await owner.call('confirmGuestCode', { code: ownCode })).body).toEqual({ isConfirmed: true })
    await rounds.one.moveClock(3_601_000)
  }
  // One in a million each: of ten thousand, those that count are this few.
  expect(codes).toBeLessThan(CODES)
  const right = told.get('200 ') ?? 0
  expect(right).toBeLessThanOrEqual(codes * TRIES)
  for (const each of told.keys())
    expect(['200 ', '422 validation_failed', '429 rate_limited']).toContain(each)
  expect((await rounds.only(id)).status).toBe('viewed')
  await rounds.acknowledgeBy(ofNeighbour, addressOf('Neighbour'))
  // Whoever sees to it sends another link, and the owner goes on; that of the thief opens nothing.
  const { data } = await rounds.ask(rounds.acme.admin, 'listGuestPasses', { recordId: versionId })
  await rounds.ask(rounds.acme.admin, 'sendGuestLink', { id: data[0].id })
  const before = rounds.mailsTo('Codes')
  let last = await rounds.mailed('Codes')
  for (let mail = 0; mail < before && !last.text.includes('#token='); mail++)
    last = await rounds.mailed('Codes')
  expect((await openGuest(rounds.door).open(link)).status).toBe(422)
  const again = openGuest(rounds.door)
  await again.open(last.link)
  await rounds.prove(again, addressOf('Codes'))
  expect((await again.call('acknowledgePolicyAsGuest', consentTo(read as never))).body.status).toBe(
    'acknowledged',
  )
})
