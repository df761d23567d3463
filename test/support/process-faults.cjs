/*
 * Loaded into a process before the service: its own clock is off by CLOCK_AHEAD_MS, as where nobody has set it; and
 * NAME_SERVER is asked instead of those of the machine.
 */
const ahead = Number(process.env.CLOCK_AHEAD_MS ?? 0)
if (ahead !== 0) {
  const Real = Date
  class Shifted extends Real {
    constructor(...given) {
      if (given.length === 0) super(Real.now() + ahead)
      else super(...given)
    }
    static now() {
      return Real.now() + ahead
    }
  }
  Object.defineProperty(Shifted, 'name', { value: 'Date' })
  globalThis.Date = Shifted
}
if (process.env.NAME_SERVER) {
  const dns = require('node:dns')
  const { syncBuiltinESMExports } = require('node:module')
  dns.Resolver = class Resolver extends dns.Resolver {
    constructor(...given) {
      super(...given)
      this.setServers([process.env.NAME_SERVER])
    }
  }
  syncBuiltinESMExports()
}
