import { z } from 'zod'

/** The mail server of SMTP_URL, and who mail is from. */
export interface Smtp {
  readonly host: string
  readonly port: number
  /** TLS from the first byte (smtps). */
  readonly secure: boolean
  /** TLS by STARTTLS, or no mail at all. */
  readonly requireTLS: boolean
  /** Plain, even where the server offers more. */
  readonly ignoreTLS: boolean
  readonly auth: { readonly user: string; readonly pass: string } | null
  readonly from: { readonly name: string; readonly address: string }
}

const LOOPBACK = ['localhost', '127.0.0.1', '::1']
const PARAMETERS = ['from', 'tls']

/**
 * Reads `smtps://user:password@host:465?from=Name <address>`, or `smtp://` for STARTTLS on port 587. What we
 * mail lets people in, so it goes over TLS with a certificate that is verified; plain only to this machine, or
 * where `tls=off` says that the network in between is one's own.
 * @throws {Error} with what is wrong, and nothing of the value
 */
export function readSmtpUrl(text: string): Smtp {
  const url = URL.parse(text)
  const scheme = url?.protocol
  if (!url || (scheme !== 'smtp:' && scheme !== 'smtps:') || url.hostname === '')
    throw new Error('give a URL such as smtps://user:password@mail.example.com?from=plumbline@example.com')
  if (!/^\/?$/.test(url.pathname) || url.hash !== '')
    throw new Error('it goes no further than the host: no path, and no # (write it %23)')
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined) throw new Error(`its parameters are ${PARAMETERS.join(' and ')}`)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const secure = scheme === 'smtps:'
  const isPlain = !secure && (isOff(url.searchParams.get('tls')) || LOOPBACK.includes(host))
  const user = decoded(url.username)
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && !isPlain,
    ignoreTLS: isPlain,
    auth: user === '' ? null : { user, pass: decoded(url.password) },
    from: sender(url.searchParams.get('from') ?? user),
  }
}

function isOff(tls: string | null): boolean {
  if (tls !== null && tls !== 'off') throw new Error('tls is left out, or off')
  return tls === 'off'
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new Error('user and password are percent-encoded: write % as %25')
  }
}

/** `address`, or `Name <address>`. */
function sender(text: string): Smtp['from'] {
  const [, name = '', address = text] = /^([^<>\r\n]*)<([^<>]*)>$/.exec(text.trim()) ?? []
  if (!z.email().safeParse(address.trim()).success)
    throw new Error('?from= is missing or no e-mail address: give from=plumbline@example.com')
  return { name: name.trim(), address: address.trim() }
}
