'use strict'

/*
 * Loaded before each program without rights (limited-process.ts). Node's permissions cover files, the network, programs
 * and threads, but not signals: without this, what takes over a reader could end the service, which is its parent, or
 * start its debugger. A program needs none of these functions.
 */

const os = require('node:os')

for (const [owner, names] of [
  [process, ['kill', '_kill', '_debugProcess', '_debugEnd', '_startProfilerIdleNotifier', 'dlopen', 'abort']],
  [os, ['setPriority']],
])
  for (const name of names)
    if (name in owner)
      Object.defineProperty(owner, name, { value: undefined, writable: false, configurable: false })

require('node:module').syncBuiltinESMExports()
