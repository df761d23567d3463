import { expect, test } from 'vitest'
import { WebRateLimiter } from '../server/doors/web/rate-limiter.ts'

test('an IPv6 network is one caller, whichever of its addresses it uses; its neighbours are others', () => {
  const limiter = new WebRateLimiter()
  for (let n = 0; n < 1_200; n++) limiter.ofAddress(`2001:db8:0:1::${n.toString(16)}`)
  expect(() => limiter.ofAddress('2001:db8:0:1:ffff::1')).toThrow('Too many calls')
  limiter.ofAddress('2001:db8:0:2::1')
  limiter.ofSession('ses_of_somebody_there')
})
