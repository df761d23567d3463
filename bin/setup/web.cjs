'use strict'

const { spawn } = require('node:child_process')
const { createHash } = require('node:crypto')
const { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { withInstallLock } = require('./install-lock.cjs')

/*
 * The web app is built where it is missing or its sources have changed: what a build was made from stands
 * beside it as a hash. A release brings web/dist and no Vite (or no sources), and is taken as it is.
 *
 * Nothing here stops a start. The service serves the pages it finds, and says how to get them where there
 * are none.
 */

/**
 * What the pages are made from: the app, and what the service shares with it. Nothing else is there when the test of
 * builds makes them, so what they take from elsewhere is missed there.
 */
const SOURCES = ['web', 'model', 'package-lock.json', 'bin/setup/web.cjs']

exports.SOURCES = SOURCES

/**
 * Sees that web/dist is what its sources say.
 * @param node the Node to build with
 */
exports.ensureWebBuilt = async ({ root, node }) => {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  if (!existsSync(join(root, 'web/index.html')) || !existsSync(vite)) return
  if (isBuilt(root)) return
  try {
    await withInstallLock(root, async (tellPid) => {
      const hash = hashOf(root)
      if (builtFrom(root) === hash) return
      console.error('plumbline: building the pages of the web app; this takes some seconds')
      await build(root, node, vite, hash, tellPid)
    })
  } catch (error) {
    console.error(`plumbline: the pages of the web app could not be built: ${error.message}`)
  }
}

const isBuilt = (root) => builtFrom(root) === hashOf(root)

function builtFrom(root) {
  try {
    return readFileSync(join(root, 'web/dist/built-from'), 'utf8')
  } catch {
    return null
  }
}

function hashOf(root) {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap((source) => filesIn(root, source)))
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest('hex')
}

/** The files under a path of the clone, in a fixed order. */
function filesIn(root, path) {
  let entries
  try {
    entries = readdirSync(join(root, path), { withFileTypes: true })
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path]
    if (error.code === 'ENOENT') return []
    throw error
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .filter(({ name }) => !name.startsWith('.') && !(path === 'web' && name.startsWith('dist')))
    .flatMap((entry) => {
      const inside = `${path}/${entry.name}`
      return entry.isDirectory() ? filesIn(root, inside) : [inside]
    })
}

/** Beside the old one first, so that a build that fails takes nothing away. */
async function build(root, node, vite, hash, tellPid) {
  const [made, dist, old] = ['dist.new', 'dist', 'dist.old'].map((name) => join(root, 'web', name))
  const args = ['build', 'web', '--configLoader', 'native', '--logLevel', 'warn', '--outDir', made]
  await run(node, [vite, ...args], root, tellPid)
  writeFileSync(join(made, 'built-from'), hash)
  rmSync(old, { recursive: true, force: true })
  if (existsSync(dist)) renameSync(dist, old)
  renameSync(made, dist)
  rmSync(old, { recursive: true, force: true })
}

function run(program, args, cwd, tellPid) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 2, 2] })
    if (child.pid) tellPid(child.pid)
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      if (code === 0) resolve()
      else reject(new Error(`Vite ended with ${signal || code}; its own words stand above.`))
    })
  })
}
