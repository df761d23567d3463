'use strict'

const {
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

// One installation at a time. The lock is a file beside node_modules (npm empties that folder) with the pid of
// who installs, touched every second. It counts as left behind when its process is gone or has been silent for
// so long that the pid must belong to somebody else by now.
const SILENCE = 20_000

/** Runs `work` while no other command of this clone installs; waits for one that does. */
exports.withInstallLock = async (root, work) => {
  const file = join(root, '.installing')
  let told = false
  while (!take(file)) {
    const other = read(file)
    if (other && isLeftBehind(other)) setAside(file, other)
    else if (other && !told) {
      console.error(`plumbline: another command (process ${other.pid}) is installing; waiting for it`)
      told = true
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const alive = setInterval(() => touch(file), 1000)
  try {
    await work()
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
      `${file} cannot be written (${error.code}). Run "npm ci --ignore-scripts" as the owner of this folder.`,
    )
  }
}

function read(file) {
  try {
    return { pid: Number(readFileSync(file, 'utf8')), touched: statSync(file).mtimeMs }
  } catch {
    return null
  }
}

function isLeftBehind({ pid, touched }) {
  if (Date.now() - touched > SILENCE) return true
  if (!pid) return false // being written
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
    if (moved && moved.pid !== seen.pid && !isLeftBehind(moved)) renameSync(aside, file)
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
