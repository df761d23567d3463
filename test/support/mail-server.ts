import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { until } from './until.ts'

/** A mail server on a loopback port that keeps what it gets. */
export interface MailServer {
  readonly url: string
  readonly port: number
  readonly mails: readonly Mail[]
  /** Every command as it came. */
  readonly commands: readonly string[]
  /** The next mail to this address that nobody has waited for yet. */
  next(to: string): Promise<Mail>
  /** What it says to a command instead of yes; undefined: yes, 'silent': nothing. */
  answer(say: (command: string) => string | 'silent' | undefined): void
  close(): Promise<void>
}

export interface Mail {
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Its header fields by name in lower case, each on one line. */
  readonly headers: ReadonlyMap<string, string>
  /** Where its link goes. */
  readonly link: string
  readonly token: string
}

export async function startMailServer(tls?: { key: string; cert: string }): Promise<MailServer> {
  const mails: Mail[] = []
  const seen = new Set<Mail>()
  const commands: string[] = []
  let say: (command: string) => string | 'silent' | undefined = () => undefined
  const sockets = new Set<Socket>()
  const serve = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    talk(socket, {
      answer: (command) => {
        commands.push(command)
        return say(command)
      },
      keep: (envelope, raw) => mails.push(read(envelope, raw)),
    })
  }
  const server: Server = tls ? createTlsServer(tls, serve) : createServer(serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `${tls ? 'smtps' : 'smtp'}://127.0.0.1:${port}?from=plumbline@example.com`,
    mails,
    commands,
    next: async (to) => {
      const mail = await until(
        () => mails.find((one) => one.to === to && !seen.has(one)),
        `the next mail to ${to}`,
      )
      seen.add(mail)
      return mail
    },
    answer: (how) => {
      say = how
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Envelope {
  from: string
  to: string
}

interface Talk {
  answer(command: string): string | 'silent' | undefined
  keep(envelope: Envelope, raw: string): void
}

/** RFC 5321, as much as one client needs. */
function talk(socket: Socket, { answer, keep }: Talk): void {
  let [buffer, data] = ['', null as string | null]
  let envelope: Envelope = { from: '', to: '' }
  const reply = (command: string, yes: string) => {
    const said = answer(command) ?? yes
    if (said !== 'silent') socket.write(`${said}\r\n`)
    return said === yes
  }
  reply('CONNECT', '220 mail.test ESMTP')
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    buffer += chunk
    for (;;) {
      const end = buffer.indexOf('\r\n')
      if (end < 0) return
      const line = buffer.slice(0, end)
      buffer = buffer.slice(end + 2)
      if (data !== null) {
        if (line !== '.') data += `${line.replace(/^\.\./, '.')}\r\n`
        else {
          if (reply('.', '250 kept')) keep(envelope, data)
          data = null
        }
      } else if (/^(EHLO|HELO)/.test(line)) reply(line, '250-mail.test\r\n250 AUTH PLAIN')
      else if (line === 'DATA') {
        if (reply(line, '354 go on')) data = ''
      } else if (/^AUTH/.test(line)) reply(line, '235 welcome')
      else if (line === 'QUIT') {
        reply(line, '221 bye')
        socket.end()
      } else {
        const [, what, address = ''] = /^(MAIL FROM|RCPT TO):<([^>]*)>/.exec(line) ?? []
        if (what === 'MAIL FROM') envelope = { ...envelope, from: address }
        if (what === 'RCPT TO') envelope = { ...envelope, to: address }
        reply(line, '250 fine')
      }
    }
  })
}

function read(envelope: Envelope, raw: string): Mail {
  const [head = ''] = raw.split('\r\n\r\n', 1)
  const subject = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(head)?.[1]?.replace(/\r\n[ \t]/g, ' ') ?? ''
  const text = partOf(raw, 'text/plain')
  const link = /https?:\/\/\S+/.exec(text)?.[0] ?? ''
  const fields = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = new Map(
    fields.map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.replace(/^[^:]*: ?/, '')]),
  )
  return {
    ...envelope,
    headers,
    subject: decodedWords(subject),
    text,
    html: partOf(raw, 'text/html'),
    link,
    token: link.split('#token=')[1] ?? '',
  }
}

/** The encoded words of a header (RFC 2047), as UTF-8. */
function decodedWords(header: string): string {
  return header
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, form: string, word: string) =>
      form.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString()
        : ofQuoted(word.replaceAll('_', ' ')),
    )
}

function ofQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

function partOf(raw: string, type: string): string {
  const boundary = /boundary="?([^";\r\n]+)"?/.exec(raw)?.[1]
  const part = raw.split(`--${boundary}`).find((one) => one.includes(`Content-Type: ${type}`)) ?? ''
  const [head = '', ...body] = part.split('\r\n\r\n')
  const text = body.join('\r\n\r\n').trim()
  if (/base64/i.test(head)) return Buffer.from(text, 'base64').toString()
  if (!/quoted-printable/i.test(head)) return text
  return ofQuoted(text.replace(/=\r\n/g, ''))
}
