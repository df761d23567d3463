'use strict'

// Makes a clone ready to run and prints the path of the Node to run it with. Runs under whatever Node the
// machine has, before anything is installed: plain JavaScript, no dependency. Standard output is for that one
// path, everything said goes to standard error, and nothing is said when there is nothing to do.

const major = Number(process.versions.node.split('.')[0])

if (major < 18) {
  console.error(`plumbline: Node ${process.versions.node} is too old to install it. Use Node 18 or newer.`)
  process.exit(1)
}

/** What serves the pages of the web app, tests or measures them; nothing else waits for their build. */
const NEED_THE_PAGES = ['--setup', 'server/main.ts', 'node_modules/vitest/vitest.mjs', 'bench/main.ts']

const { prepare } = require('./setup/prepare.cjs')

const dev = process.argv[2] === '--dev'
const program = process.argv[dev ? 3 : 2]

prepare({ dev, web: NEED_THE_PAGES.includes(program) }).then(
  (node) => console.log(node),
  (error) => {
    console.error(`plumbline: ${error.message}`)
    process.exitCode = 1
  },
)
