import { expect, test } from 'vitest'
import { Pace } from '../server/doors/web/pace.ts'

test('an IPv6 network is one caller, whichever of its addresses it uses; its neighbours are others', () => {
  const pace = new Pace()
  for (let n = 0; n < 1_200; n++) pace.ofAddress(`2001:db8:0:1::${n.toString(16)}`)
  expect(() => pace.ofAddress('2001:db8:0:1:ffff::1')).toThrow('Too many calls')
  pace.ofAddress('2001:db8:0:2::1')
  pace.ofSession('ses_of_somebody_there')
})
