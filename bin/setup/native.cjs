'use strict'

const {
  accessSync,
  chmodSync,
  constants,
  readFileSync,
  readlinkSync,
  symlinkSync,
  unlinkSync,
} = require('node:fs')
const { basename, dirname, join } = require('node:path')

/**
 * Makes the library links of the embedded PostgreSQL. A package cannot carry links and would make them in its
 * install script; none runs here, so we read its list.
 */
exports.linkLibraries = (folder) => {
  try {
    const links = JSON.parse(readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8'))
    for (const { source, target } of links) {
      if (dirname(source) !== dirname(target))
        throw new Error(`${folder} has a link list this version cannot read`)
      link(join(folder, target), basename(source))
    }
    for (const name of ['postgres', 'initdb']) exports.makeExecutable(join(folder, 'native', 'bin', name))
  } catch (error) {
    if (error.code === 'ENOENT')
      throw new Error(`${folder} is incomplete. Remove node_modules and start again.`)
    if (!isReadOnly(error)) throw error
    if (process.env.DATABASE_URL) return
    throw new Error(
      `${folder} cannot be written. Run "npm run setup" once as its owner, or set DATABASE_URL to use another PostgreSQL.`,
    )
  }
}

exports.makeExecutable = (file) => {
  try {
    accessSync(file, constants.X_OK)
  } catch {
    chmodSync(file, 0o755)
  }
}

// Two commands may do this at once: what the other made is as good as ours.
function link(path, to) {
  if (linkAt(path) === to) return
  try {
    symlinkSync(to, path)
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (linkAt(path) === to) return
    unlinkSync(path)
    symlinkSync(to, path)
  }
}

function linkAt(path) {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}

function isReadOnly(error) {
  return ['EACCES', 'EPERM', 'EROFS'].includes(error.code)
}
