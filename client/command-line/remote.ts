import { readFileSync } from 'node:fs'
import { isLoopback } from '../../server/config/loopback.ts'
import type { AnyOperation } from '../../server/operation.ts'
import { invalid, Refusal } from '../../server/refusal.ts'
import type { Problem } from './problem.ts'

/*
 * An operation over REST, with a key: for a service that runs on another machine, or whose database is not at hand.
 */

export interface Remote {
  /** The origin of the service. */
  readonly url: string
  readonly key: string
}

/** What the service at the other end refused, as it told it. */
export class RemotelyRefused extends Error {
  override name = 'RemotelyRefused'
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail)
    this.problem = problem
  }
}

/**
 * Reads where the service is, and the key.
 * @param key as it is, or `@file`
 * @throws {Refusal} `malformed_request` for what is neither an origin nor safe to send a key to
 */
export function remoteOf(url: string, key: string | undefined): Remote {
  const origin = URL.parse(url)
  if (origin?.pathname !== '/' || origin.search || origin.hash || origin.username)
    throw malformed(`${url} is not the address of a service: give one such as https://plumbline.example.com`)
  if (origin.protocol !== 'https:' && !(origin.protocol === 'http:' && isLoopback(origin.hostname)))
    throw malformed(
      `${url} would have the key sent in the clear: give an https address, or http on this machine`,
    )
  const secret = key?.startsWith('@') ? read(key.slice(1)) : key
  if (!secret) throw malformed('There is no key: set PLUMBLINE_KEY, or give --key @FILE')
  if (!/^[\x21-\x7e]+$/.test(secret)) throw malformed('The key holds signs that no key has: copy it again')
  return { url: origin.origin, key: secret }
}

/**
 * @returns what the operation answers; null where that is nothing
 * @throws {RemotelyRefused} with the problem of the service
 * @throws {Refusal} `unavailable` where no service answers
 */
export async function callOverRest(
  { url, key }: Remote,
  operation: AnyOperation,
  input: Readonly<Record<string, unknown>>,
): Promise<object | null> {
  const { path, body } = requestOf(operation, input)
  const response = await fetch(`${url}${path}`, {
    method: operation.method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'manual',
  }).catch((error: Error) => {
    const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException
    throw new Refusal(
      'unavailable',
      `Nothing answers at ${url} (${code ?? message}): check the address and that it runs.`,
    )
  })
  const text = await response.text()
  if (response.ok && text === '') return null
  const told = parsed(text)
  if (response.ok && told !== null) return told
  if (typeof (told as Partial<Problem> | null)?.code === 'string') throw new RemotelyRefused(told as Problem)
  throw new Refusal(
    'unavailable',
    `${url} answered ${response.status}, and not as Plumbline does: check the address.`,
  )
}

/** The flat input taken apart: names in `{}` into the path, the rest into the query or the body. */
function requestOf(
  { method, path, input: schema }: AnyOperation,
  input: Readonly<Record<string, unknown>>,
): { path: string; body?: object } {
  const rest = { ...input }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    if (typeof value === 'string' && value !== '') return encodeURIComponent(value)
    throw invalid({ path: name, message: 'required: give text' })
  })
  if (method !== 'GET' && method !== 'DELETE') {
    const takesNothing = Object.keys(schema.shape).length === 0 && Object.keys(rest).length === 0
    return takesNothing ? { path: filled } : { path: filled, body: rest }
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest))
    for (const one of [value].flat())
      query.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one))
  return { path: query.size > 0 ? `${filled}?${query}` : filled }
}

const malformed = (detail: string) => new Refusal('malformed_request', `${detail}.`)

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw malformed(`The key file ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
