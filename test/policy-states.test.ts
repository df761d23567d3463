import { afterAll, beforeAll, expect, test } from 'vitest'
import { deadlineClock } from './support/deadline-clock.ts'
import { type Answer, type Policies, startPolicies, userOf } from './support/policies.ts'
import { startTestService } from './support/service.ts'

/*
 * Promise: what is done with a policy or with an exception from it is done in its states, and refused in every other,
 * where it leaves all as it was.
 */

let policies: Policies
let { one, author, approver, as, refused, drafted, published } = {} as Policies
beforeAll(async () => {
  policies = await startPolicies(startTestService)
  ;({ one, author, approver, as, refused, drafted, published } = policies)
})
afterAll(() => policies?.close())

/** By its state, what a policy is refused that stays in that state; all else is done. */
const REFUSED_TO_POLICIES = {
  draft: ['createPolicyVersion', 'retirePolicy', 'restorePolicy'],
  in_review: ['createPolicyVersion', 'retirePolicy', 'restorePolicy'],
  approved: ['createPolicyVersion', 'retirePolicy', 'restorePolicy'],
  published: ['restorePolicy', 'deletePolicy'],
  retired: ['createPolicyVersion', 'retirePolicy', 'deletePolicy'],
}

async function policyThatIs(state: string): Promise<Answer> {
  const { policy, id } = await drafted()
  const submitted = async () => as(author, 'submitPolicyVersion', { id })
  const approved = async () => {
    const { contentSha256, round } = await submitted()
    return as(approver, 'approvePolicyVersion', { id, contentSha256, round })
  }
  if (state === 'in_review') await submitted()
  if (state === 'approved') await approved()
  if (state === 'published' || state === 'retired') await published(id)
  if (state === 'retired') await as(author, 'retirePolicy', { id: policy.id })
  return as(author, 'getPolicy', { id: policy.id })
}

test.each(Object.entries(REFUSED_TO_POLICIES))('a policy that is %s', async (state, isRefused) => {
  const acts = ['createPolicyVersion', 'retirePolicy', 'restorePolicy', 'deletePolicy']
  for (const act of acts) {
    const policy = await policyThatIs(state)
    expect(policy.status).toBe(state)
    const id = policy.id
    const given = act === 'createPolicyVersion' ? { policyId: id, content: 'Another.' } : { id }
    const by = act === 'deletePolicy' ? policies.acme.admin : author
    const error = await refused(by, act, given)
    if (isRefused.includes(act)) {
      expect([act, error?.code]).toEqual([act, expect.stringMatching(/^(conflict|draft_exists)$/)])
      expect(await as(author, 'getPolicy', { id })).toEqual(policy)
    } else expect([act, error]).toEqual([act, null])
  }
  // No state is one that somebody writes.
  const { id } = await policyThatIs(state)
  for (const status of Object.keys(REFUSED_TO_POLICIES).filter((other) => other !== state))
    expect([status, (await refused(author, 'updatePolicy', { id, status }))?.code]).toEqual([
      status,
      'invalid_transition',
    ])
})

const ACTS = ['approve', 'deny', 'withdraw', 'revoke'] as const
const BY_STATE = {
  requested: ['approve', 'deny', 'withdraw'],
  approved: ['revoke'],
  denied: [],
  revoked: [],
  expired: [],
} as const

test('an exception', async () => {
  const { policy, id: versionId } = await drafted()
  await published(versionId)
  const asked = (days: number) =>
    as(author, 'createPolicyException', {
      ...{ policyId: policy.id, title: 'An old server', justification: 'Until spring' },
      ...{ approver: userOf(approver), expiresAt: `2098-12-${days}T00:00:00.000Z` },
    })
  const act = (verb: (typeof ACTS)[number], { id }: Answer) => {
    const by = verb === 'withdraw' ? author : approver
    const reason = verb === 'approve' ? {} : { statusReason: 'As agreed' }
    return refused(by, `${verb}PolicyException`, { id, ...reason })
  }
  const inState: { [state: string]: () => Promise<Answer> } = {
    requested: () => asked(30),
    approved: () => done('approve'),
    denied: () => done('deny'),
    revoked: () => done('withdraw'),
  }
  const done = async (verb: (typeof ACTS)[number], days = 30) => {
    const exception = await asked(days)
    expect(await act(verb, exception)).toBeNull()
    return as(author, 'getPolicyException', { id: exception.id })
  }
  const tryAll = async (state: keyof typeof BY_STATE, make: () => Promise<Answer>) => {
    for (const verb of ACTS) {
      const exception = await make()
      expect(exception.status).toBe(state)
      const isLegal = BY_STATE[state].includes(verb as never)
      const said = [state, verb, (await act(verb, exception))?.code ?? null]
      expect(said).toEqual([state, verb, isLegal ? null : 'conflict'])
      const after = await as(author, 'getPolicyException', { id: exception.id })
      if (!isLegal) expect(after).toEqual(exception)
    }
  }
  for (const [state, make] of Object.entries(inState)) await tryAll(state as never, make)
  const { id } = await done('approve', 11)
  const clock = deadlineClock(one)
  await clock.at('2098-12-12T12:00:00.000Z')
  await clock.turn()
  await tryAll('expired', () => as(author, 'getPolicyException', { id }))
})
