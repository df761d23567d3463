'use strict'

// Makes a clone ready to run and prints the path of the Node to run it with. Runs under whatever Node the
// machine has, before anything is installed: plain JavaScript, no dependency. Standard output is for that one
// path, everything said goes to standard error, and nothing is said when there is nothing to do.

const major = Number(process.versions.node.split('.')[0])

if (major < 18) {
  console.error(`plumbline: Node ${process.versions.node} is too old to install it. Use Node 18 or newer.`)
  process.exit(1)
}

const { prepare } = require('./setup/prepare.cjs')

prepare({ dev: process.argv[2] === '--dev' }).then(
  (node) => console.log(node),
  (error) => {
    console.error(`plumbline: ${error.message}`)
    process.exitCode = 1
  },
)
