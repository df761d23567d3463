import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { reasonOf } from '../../server/doors/body.ts'
import { Refusal } from '../../server/refusal.ts'

/** Longer than anybody needs who pipes a password in, shorter than a person's patience. */
const SILENCE = 3_000

/**
 * A password that was not given as a flag: the first line of standard input, or typed unseen at a terminal.
 * Nothing there is none.
 */
export async function passwordFrom(flag: string | undefined): Promise<string | undefined> {
  if (flag !== undefined && flag !== '-') return flag
  if (process.stdin.isTTY) return (await typedUnseen('Password: ')) || undefined
  const [line] = (await standardInput('a password')).split(/\r?\n/)
  return line || undefined
}

/**
 * The input of an operation: JSON as it is, `@file`, or `-` for standard input.
 * @throws {Refusal} `malformed_request` where it is no JSON object
 */
export async function inputFrom(flag: string | undefined): Promise<object> {
  if (flag === undefined) return {}
  const text =
    flag === '-' ? await standardInput('the input') : flag.startsWith('@') ? read(flag.slice(1)) : flag
  const value = parsed(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal('malformed_request', 'The input is no JSON object: give --input \'{"title": "…"}\'.')
  return value
}

async function standardInput(what: string): Promise<string> {
  const hint = setTimeout(() => console.error(`Waiting for ${what} on standard input.`), SILENCE)
  try {
    const parts: Buffer[] = []
    for await (const part of process.stdin) parts.push(part)
    return Buffer.concat(parts).toString('utf8')
  } finally {
    clearTimeout(hint)
  }
}

/** The line that readline edits goes nowhere, so nothing of it is shown. */
async function typedUnseen(question: string): Promise<string> {
  process.stderr.write(question)
  const unseen = new Writable({ write: (_part, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: true })
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve)
      lines.once('SIGINT', () =>
        reject(new Refusal('malformed_request', 'Stopped before a password was given.')),
      )
      lines.once('close', () => resolve(''))
    })
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Refusal(
      'malformed_request',
      `${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    )
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Refusal('malformed_request', `The input is not JSON: ${reasonOf(error)}.`)
  }
}
