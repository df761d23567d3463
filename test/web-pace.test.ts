import { expect, test } from 'vitest'
import { UnknownCredentialLimiter } from '../server/doors/unknown-credential-limiter.ts'
import { WebRateLimiter } from '../server/doors/web/rate-limiter.ts'
import { Budget } from '../server/oauth/budget.ts'
import { Refusal } from '../server/refusal.ts'

test('an IPv6 network is one caller, whichever of its addresses it uses; its neighbours are others', () => {
  const limiter = new WebRateLimiter()
  for (let n = 0; n < 1_200; n++) limiter.ofAddress(`2001:db8:0:1::${n.toString(16)}`)
  expect(() => limiter.ofAddress('2001:db8:0:1:ffff::1')).toThrow('Too many calls')
  limiter.ofAddress('2001:db8:0:2::1')
  limiter.ofSession('ses_of_somebody_there')
})

test('a crowd of other networks frees nobody who came too often', () => {
  const [sessions, guesses, budget] = [
    new WebRateLimiter(),
    new UnknownCredentialLimiter(),
    new Budget(3, 30_000),
  ]
  const unknown = new Refusal('credential_invalid', 'No such key.')
  const come = (address: string): string[] => [
    ...(isThrown(() => sessions.ofAddress(address)) ? ['web'] : []),
    ...(guesses.judge(address, unknown).code === 'rate_limited' ? ['credential'] : []),
    ...(budget.spend(address) ? [] : ['budget']),
  ]
  for (let n = 0; n < 1_200; n++) come('192.0.2.1')
  for (let n = 0; n < 25_000; n++) {
    const all = n % 1_000 === 0 ? come('192.0.2.1') : come(`10.0.${n >> 8}.${n % 256}`)
    if (n % 1_000 === 0) expect(all).toEqual(['web', 'credential', 'budget'])
    else expect(all).toEqual([])
  }
})

function isThrown(act: () => void): boolean {
  try {
    act()
    return false
  } catch {
    return true
  }
}
