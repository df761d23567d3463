import { join, resolve } from 'node:path'
import { ConfigInvalid } from './invalid.ts'
import { isLoopback } from './loopback.ts'
import { list, wrong } from './values.ts'

/** Where the bytes of files are kept: a folder of this machine, or a bucket of whoever speaks S3. */
export type FilesPlace = { readonly folder: string } | Bucket

export interface Bucket {
  readonly bucket: string
  /** Before each key; empty, or with a slash at its end. */
  readonly prefix: string
  /** An origin. */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Whether the store is asked to encrypt what it keeps. */
  readonly isEncrypted: boolean
}

const EXAMPLE = 's3://bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1'

export function filesPlace(
  value: string | null,
  dataDir: string,
  get: (name: string) => string | null,
): FilesPlace {
  if (value === null) return { folder: join(dataDir, 'files') }
  if (!/^[a-z][\w+.-]*:\/\//i.test(value)) return { folder: resolve(value) }
  const url = URL.parse(value)
  if (url?.protocol !== 's3:' || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.host) || url.hash)
    throw wrong('FILES', value, `give the path of a folder, or ${EXAMPLE}`)
  const {
    endpoint,
    region = 'us-east-1',
    encryption = 'AES256',
    ...others
  } = Object.fromEntries(url.searchParams)
  const [unknown] = Object.keys(others)
  if (unknown) throw wrong('FILES', value, `${unknown} is no part of it; give ${EXAMPLE}`)
  if (!/^[a-z0-9-]+$/.test(region)) throw wrong('FILES', value, 'region is a name such as eu-central-1')
  if (encryption !== 'AES256' && encryption !== 'none')
    throw wrong('FILES', value, 'encryption is AES256, or none where the store does not take it')
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '')
  return {
    bucket: url.host,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint: originOf(value, endpoint ?? `https://s3.${region}.amazonaws.com`),
    region,
    accessKeyId: credential('AWS_ACCESS_KEY_ID', get),
    secretAccessKey: credential('AWS_SECRET_ACCESS_KEY', get),
    isEncrypted: encryption === 'AES256',
  }
}

function originOf(value: string, endpoint: string): string {
  const url = URL.parse(endpoint)
  const isPlain = url?.protocol === 'http:' && isLoopback(url.hostname)
  if (url?.pathname !== '/' || url.search || url.username || (url.protocol !== 'https:' && !isPlain))
    throw wrong('FILES', value, 'endpoint is an origin: https, or http on loopback')
  return url.origin
}

/** The value is never shown. */
function credential(name: string, get: (name: string) => string | null): string {
  const value = get(name)
  if (value !== null) return value
  throw new ConfigInvalid(`${name} is missing: FILES names a bucket, so give what opens it.`)
}

export const mediaTypes = (name: string, value: string | null): string[] =>
  list(value).map((part) => {
    if (!/^[a-z]+\/[\w.+-]+$/.test(part)) throw wrong(name, part, 'give media types such as image/svg+xml')
    return part
  })

export function scanner(name: string, value: string | null): { host: string; port: number } | null {
  if (value === null) return null
  const url = URL.parse(value)
  if (url?.protocol !== 'clamd:' || url.hostname === '' || url.port === '' || !/^\/?$/.test(url.pathname))
    throw wrong(name, value, 'give where clamd listens, such as clamd://127.0.0.1:3310')
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) }
}
