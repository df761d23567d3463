'use strict'

// Ends this program when the process that started it is gone. npm passes SIGINT and SIGTERM on, but after a
// `kill -9` of npm the program would run on unseen, and the next `npm start` would be refused by its lock.
// A changed parent is the sign. The name leaves the environment at once, so programs and workers that this
// one starts do not follow it.

const { isMainThread } = require('node:worker_threads')

const parent = Number(process.env.PLUMBLINE_PARENT)
delete process.env.PLUMBLINE_PARENT

const SECONDS_TO_END = 60

if (isMainThread && parent > 0) {
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    setTimeout(() => process.exit(1), SECONDS_TO_END * 1000).unref()
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  watch.unref()
}
