import { kinds } from '../model/kinds/index.ts'
import { statement } from '../server/database/connect.ts'
import { newId } from '../server/database/ids.ts'
import { transaction } from '../server/database/transaction.ts'
import { makePasses } from '../server/guests/guest-pass.ts'
import { createRecords } from '../server/records/create-record.ts'
import { askAs } from './ask.ts'
import { compare, interleave } from './figures.ts'
import { type Finding, type Row, ratioAtLeast } from './row.ts'
import { makeOrganization, personOf } from './seed.ts'
import type { Stand } from './stand.ts'

const PEOPLE = 5_000
const TOGETHER = 100
const DAYS = 28

export const publish: Row = {
  name: 'publish',
  title: `a policy published to ${PEOPLE.toLocaleString('en')} people, none of whom signs in`,
  notes: [
    'publishPolicyVersion: the text comes into force, everybody is asked, each with a pass of their own and a mail that is due.',
    'The yardstick writes the same rows of requests and passes, made beforehand, in a transaction of two statements: it asks',
    'nobody who is asked, and moves no policy. Both in the same process.',
  ],
  run: measure,
}

async function measure(stand: Stand): Promise<Finding[]> {
  const database = await stand.database()
  const organization = await makeOrganization(database.administrator, stand.masterKey)
  const parts = stand.parts(database)
  const caller = personOf(organization)
  const ask = askAs(parts, caller)
  stand.say('publish: the people')
  await ask('updateOrganization', { allowSelfApproval: true })
  const people: string[] = []
  for (let at = 0; at < PEOPLE; at += TOGETHER)
    await transaction(parts.database.tenant, organization.id, async (tx) => {
      const some = Array.from({ length: TOGETHER }, (_, one) => ({
        given: { fullName: `Person ${at + one}`, workEmail: `person-${at + one}@example.com` },
      }))
      for (const record of await createRecords({ tx, caller, parts }, kinds.personnel as never, some)) {
        if (record instanceof Error) throw record
        people.push(String(record.id))
      }
    })
  /** A policy with an approved version, which waits to be published. */
  const approved = async (audience: string) => {
    const { id: policyId } = await ask('createPolicy', {
      ...{ name: 'Access control', approver: { type: 'user', refId: organization.userId } },
      ...{ audience, requiresAttestation: audience !== 'none' },
    })
    const { id } = await ask('createPolicyVersion', { policyId, content: 'Who may use what.' })
    const { contentSha256, round } = await ask<{ contentSha256: string; round: number }>(
      'submitPolicyVersion',
      { id },
    )
    await ask('approvePolicyVersion', { id, contentSha256, round })
    return { policyId, id }
  }
  const published = async () => {
    const { id, policyId } = await approved('everyone')
    const from = performance.now()
    await ask('publishPolicyVersion', { id })
    const rate = PEOPLE / ((performance.now() - from) / 1000)
    const { counts } = await ask<{ counts: { requested: number } }>('listAttestations', {
      policyId,
      limit: 1,
    })
    if (counts.requested !== PEOPLE) throw new Error(`publish: ${counts.requested} are asked`)
    return rate
  }
  const written = async () => {
    const { id, policyId } = await approved('none')
    const guests = people.map((personId) => ({ personId }))
    const from = performance.now()
    await transaction(parts.database.tenant, organization.id, async (tx) => {
      const expiresAt = new Date(Date.parse(await tx.now) + DAYS * 86_400_000).toISOString()
      const passes = makePasses(tx, caller, { purpose: 'attest', recordId: id, expiresAt }, guests)
      const ids = people.map(() => newId('pat'))
      tx.write(insert(organization.id, policyId, id, expiresAt.slice(0, 10), ids, people, passes))
    })
    return PEOPLE / ((performance.now() - from) / 1000)
  }
  stand.say('publish: warming up')
  await published()
  await written()
  stand.say('publish: against the bulk write of the same rows')
  const { products, yardsticks } = await interleave(stand.rounds, published, written)
  await parts.close()
  return [
    {
      measure: 'people asked',
      unit: '/s',
      ...compare(products, yardsticks),
      yardstickIs: 'bulk write of the rows',
      target: ratioAtLeast(0.5),
    },
  ]
}

const insert = statement(`
  insert into attestations (organization_id, policy_id, version_id, round, due_date, id, personnel_id, pass_id, status,
    requested_at, told_at, updated_at)
  select $1, $2, $3, 1, $4::date, a.id, a.person_id, a.pass_id, 'requested', clock_now(), clock_now(), clock_now()
    from unnest($5::text[], $6::text[], $7::text[]) a (id, person_id, pass_id)`)
