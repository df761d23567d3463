import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** The two logins of the embedded server. Made once, kept in a file that only our user can read. */
export interface Passwords {
  readonly administrator: string
  readonly login: string
}

const shape = z.object({ administrator: z.string().min(32), login: z.string().min(32) })

/** The passwords of this data directory, or null where none are kept. */
export function readPasswords(home: string): Passwords | null {
  try {
    return shape.parse(JSON.parse(readFileSync(fileIn(home), 'utf8')))
  } catch {
    return null
  }
}

export function makePasswords(): Passwords {
  // Letters, digits, - and _ only: they stand in SQL and in an URL as they are.
  return {
    administrator: randomBytes(33).toString('base64url'),
    login: randomBytes(33).toString('base64url'),
  }
}

export function keepPasswords(home: string, passwords: Passwords): void {
  const file = openSync(`${fileIn(home)}.new`, 'w', 0o600)
  writeSync(file, `${JSON.stringify(passwords)}\n`)
  fsyncSync(file)
  closeSync(file)
  renameSync(`${fileIn(home)}.new`, fileIn(home))
}

function fileIn(home: string): string {
  return join(home, 'passwords.json')
}
