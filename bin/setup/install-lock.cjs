'use strict'

const {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} = require('node:fs')
const { join } = require('node:path')

// One installation at a time. The lock is a file beside node_modules (npm empties that folder). It names our
// process and the npm that works for it, which goes on for a while where we are killed. The lock counts as left
// behind when both are gone, or when nobody has touched it for so long that the pids must be others' by now.
const SILENCE = 300_000

/**
 * Runs `work` while no other command of this clone installs; waits for one that does. `work` gets a function to name
 * npm's pid.
 */
exports.withInstallLock = async (root, work) => {
  const file = join(root, '.installing')
  let told = false
  while (!take(file)) {
    const other = read(file)
    if (other && isLeftBehind(other)) setAside(file, other)
    else if (other && !told) {
      console.error(`plumbline: another command (process ${other.pids.at(-1)}) is installing; waiting for it`)
      told = true
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const alive = setInterval(() => touch(file), 1000)
  try {
    await work((pid) => appendFileSync(file, ` ${pid}`))
  } finally {
    clearInterval(alive)
    rmSync(file, { force: true })
  }
}

function take(file) {
  try {
    const descriptor = openSync(file, 'wx')
    writeSync(descriptor, String(process.pid))
    closeSync(descriptor)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw new Error(
      `${file} cannot be written (${error.code}). Run "npm run setup" as the owner of this folder.`,
    )
  }
}

function read(file) {
  try {
    const pids = readFileSync(file, 'utf8').split(' ').map(Number)
    return { pids, touched: statSync(file).mtimeMs }
  } catch {
    return null
  }
}

function isLeftBehind({ pids, touched }) {
  // A lock without a number is being written.
  return Date.now() - touched > SILENCE || (pids[0] > 0 && pids.every(isGone))
}

function isGone(pid) {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

// Renaming lets one of several waiting commands win. If the lock changed hands meanwhile, it goes back.
function setAside(file, seen) {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    const moved = read(aside)
    if (moved && moved.pids[0] !== seen.pids[0] && !isLeftBehind(moved)) renameSync(aside, file)
    else rmSync(aside, { force: true })
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

function touch(file) {
  try {
    const now = new Date()
    utimesSync(file, now, now)
  } catch {
    // The folder may be going away under us; the installation will say so itself.
  }
}
