'use strict'

const { spawn } = require('node:child_process')
const { readFileSync } = require('node:fs')
const { basename, join } = require('node:path')
const { withInstallLock } = require('./install-lock.cjs')

/**
 * Sees that node_modules holds what package-lock.json says, and installs it otherwise. Development packages
 * count only where `dev` asks for them, so an operator's `npm ci --omit=dev` is taken as it is.
 */
exports.ensureInstalled = async ({ root, dev }) => {
  if (isInstalled(root, dev)) return
  await withInstallLock(root, async (tellPid) => {
    if (isInstalled(root, dev)) return
    console.error('plumbline: installing its packages, once; this takes up to a minute')
    await install(root, dev, tellPid)
    if (!isInstalled(root, dev))
      throw new Error('npm ended well, but node_modules is not as package-lock.json says.')
  })
}

// npm ends an installation by writing down what it put where. That record, held against our lockfile, is the
// truth about node_modules: an interrupted installation has none, an older one differs.
function isInstalled(root, dev) {
  const wanted = packagesOf(join(root, 'package-lock.json'))
  const found = packagesOf(join(root, 'node_modules', '.package-lock.json'))
  if (!wanted) throw new Error(`${root} has no readable package-lock.json.`)
  if (!found) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || (entry.dev && !dev)) return true
    const there = found[path]
    if (!there) return Boolean(entry.optional || entry.devOptional || (entry.peer && !dev))
    return there.version === entry.version && (there.integrity || '') === (entry.integrity || '')
  })
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return null
  }
}

function install(root, dev, tellPid) {
  const flags = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  if (dev) flags.push('--include=dev')
  const npm = process.env.npm_execpath || ''
  const [program, ...first] = basename(npm) === 'npm-cli.js' ? [process.execPath, npm] : ['npm']

  // npm hands its own settings down in the environment; where `--prefix` pointed is not for this one.
  const { npm_config_prefix, npm_config_local_prefix, ...env } = process.env

  return new Promise((resolve, reject) => {
    const child = spawn(program, [...first, ...flags], { cwd: root, env, stdio: ['ignore', 2, 2] })
    if (child.pid) tellPid(child.pid)
    child.on('error', (error) => reject(new Error(`npm could not be run (${error.message}).`)))
    child.on('exit', (code, signal) => {
      if (code === 0) return resolve()
      reject(new Error(`"npm ci" failed (${signal || `exit code ${code}`}); its own words stand above.`))
    })
  })
}
