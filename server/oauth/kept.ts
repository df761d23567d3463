import { createHash } from 'node:crypto'
import type { AdapterPayload } from 'oidc-provider'
import type { Row } from '../database/connect.ts'

export const hashOf = (id: string): Buffer => createHash('sha256').update(id).digest()

/** A kept row: what is left of it and how old it is, in seconds of the database's clock. */
export interface Kept extends Row {
  readonly payload: AdapterPayload
  readonly age: number
  readonly left: number
}

export const agesOf = (table: string): string =>
  `extract(epoch from clock_now() - ${table}.created_at)::float8 as age,
   extract(epoch from ${table}.expires_at - clock_now())::float8 as "left"`

/** The payload as the library wrote it, with times of its own clock. */
export function timed({ payload, age, left }: Kept, jti: string): AdapterPayload {
  const now = Math.floor(Date.now() / 1000)
  return { ...payload, jti, iat: now - Math.round(age), exp: now + Math.ceil(left) }
}
