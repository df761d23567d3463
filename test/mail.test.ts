import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../server/config.ts'
import { openLog } from '../server/log.ts'
import { openMail } from '../server/mail/mail.ts'
import { invitationMail } from '../server/mail/messages.ts'
import { readSmtpUrl } from '../server/mail/smtp-url.ts'
import { harmIn, mailsThatSay } from './support/hostile-mails.ts'
import { HOSTILE_TEXTS } from './support/hostile-texts.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import { testAuthority } from './support/receiver.ts'

let server: MailServer
const log: string[] = []
const quiet = openLog('debug', { write: (line) => void log.push(line) })

beforeAll(async () => {
  server = await startMailServer()
})
afterAll(() => server.close())

const GIVEN = {
  organization: 'Acme',
  by: 'Ada',
  address: 'https://plumb.example/invitation#token=T0K3N',
  days: 7,
}
const message = (to: string, given: Partial<typeof GIVEN> = {}) => invitationMail(to, { ...GIVEN, ...given })

test('a mail says the same in plain text and in HTML, from whom the settings name', async () => {
  const mail = openMail(server.url.replace('plumbline@', 'Plumb%20Line<hello@').concat('>'), quiet)
  expect(await mail.send(message('ed@example.com'))).toBeNull()
  const got = await server.next('ed@example.com')
  expect(got).toMatchObject({ from: 'hello@example.com', subject: '“Ada” invites you to “Acme”' })
  expect(got.link).toBe(GIVEN.address)
  for (const form of [got.text, got.html]) {
    expect(form).toContain('“Ada” invites you to “Acme” on Plumbline.')
    expect(form).toContain(GIVEN.address)
    expect(form).toContain('once, for 7 days')
  }
})

test('names of people and organizations bring in neither markup nor headers nor lines', async () => {
  const mail = openMail(server.url, quiet)
  const organization = '<b>"A" & Co</b>\r\nBcc: eve@example.com'
  await mail.send(
    message('names@example.com', { organization, by: 'Eve\r\n\r\n.\r\nRCPT TO:<eve@example.com>' }),
  )
  const got = await server.next('names@example.com')
  expect(got.html).toContain("“b 'A' &amp; Co b Bcc: eve example com”")
  expect(got.html).not.toContain('<b>')
  expect(got.text.split('\n')[0]).toContain('“Eve . RCPT TO eve example com”')
  expect(server.mails.filter(({ to }) => to === 'eve@example.com')).toEqual([])
  expect(server.commands.filter((one) => one.startsWith('RCPT') && one.includes('eve'))).toEqual([])
})

test.each([
  ['Visit https://evil.example/now', '“Visit https evil example now”'],
  ['go to www.evil.example, or evil@evil.example', '“go to www evil example, or evil evil example”'],
  ['evil。example and evil．example', '“evil example and evil example”'],
  ['” on Plumbline. Your account is closed “', '“on Plumbline. Your account is closed”'],
  ['\u202Etxt.exe\u200B\n\nReply now', '“txt exe Reply now”'],
  ['Dr. Grey & Sons Ltd.', '“Dr. Grey & Sons Ltd.”'],
  ['TLS 1.0, v2.0.1, (8.5) at 10.1.2.3, 1.evil', '“TLS 1.0, v2.0.1, (8.5) at 10 1 2 3, 1 evil”'],
  ['evil.1.2 and 1.2.evil, 1.2-evil.example', '“evil 1 2 and 1 2 evil, 1 2-evil example”'],
  ['ESX-Cluster "Nord": one of two', "“ESX-Cluster 'Nord': one of two”"],
  ['big.csv, Plan.PDF', '“big.csv, Plan.PDF”'],
  ['evil.csv.com, a.com.csv, big.csvs, big.zip', '“evil csv com, a com.csv, big csvs, big zip”'],
  ['mailto:eve, https: //evil.com', '“mailto eve, https: evil com”'],
  ['x'.repeat(200), `“${'x'.repeat(59)}…”`],
  ['\u200B', '“unnamed”'],
])('of a name %j a mail shows what is no message and no link', (name, shown) => {
  const { text, subject } = message('somebody@example.com', { organization: name, by: name })
  expect(text.split('\n')[0]).toBe(`${shown} invites you to ${shown} on Plumbline.`)
  expect(subject).toBe(`${shown} invites you to ${shown}`)
})

test('texts that mean harm are words in every mail: no line of its head, no markup, no link', () => {
  // One of each seed and of each wrapper: all 500 are in mail-hostile.long.ts.
  for (const text of HOSTILE_TEXTS.filter((_, at) => at % 21 === 0))
    for (const mail of mailsThatSay(text)) expect(harmIn(mail)).toEqual([])
})

test('user and password are given to the server, and to nobody else', async () => {
  const mail = openMail(server.url.replace('//', '//me%40example.com:pass%20w%2Ford@'), quiet)
  log.length = 0
  server.answer((command) => (command.startsWith('AUTH') ? '535 no such pass w/ord' : undefined))
  expect(await mail.send(message('who@example.com'))).toMatch(/^The mail server could not be reached/)
  server.answer(() => undefined)
  const auth = server.commands.filter((one) => one.startsWith('AUTH PLAIN ')).at(-1)!
  expect(Buffer.from(auth.slice(11), 'base64').toString()).toBe('\0me@example.com\0pass w/ord')
  expect(log.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', code: 'EAUTH', responseCode: 535, msg: 'a mail could not be sent' },
  ])
  expect(log.join('')).not.toMatch(/pass|example\.com|T0K3N|Ada/)
})

test('whether it is the address or the server is told, in words of ours', async () => {
  const mail = openMail(server.url, quiet)
  server.answer((command) => (command.startsWith('RCPT') ? '550 5.1.1 T0K3N no such user' : undefined))
  expect(await mail.send(message('gone@example.com'))).toBe('The mail server takes no mail for this address.')
  server.answer((command) => (command === '.' ? '554 T0K3N looks like spam' : undefined))
  expect(await mail.send(message('spam@example.com'))).toMatch(/did not take the mail\.$/)
  server.answer(() => undefined)
  expect(log.join('')).not.toContain('T0K3N')
  const nobody = openMail('smtp://127.0.0.1:1?from=a@example.com', quiet)
  expect(await nobody.send(message('ed@example.com'))).toMatch(/^The mail server could not be reached/)
})

test('a server that says nothing is given up', async () => {
  const mail = openMail(server.url, quiet)
  server.answer((command) => (command === 'CONNECT' ? 'silent' : undefined))
  expect(await mail.send(message('ed@example.com'))).toMatch(/^The mail server/)
  server.answer(() => undefined)
})

test('a certificate that nobody vouches for ends it before a word is said', async () => {
  const identity = await (await testAuthority()).issue(['127.0.0.1'])
  const secure = await startMailServer({ key: identity.key, cert: identity.cert })
  log.length = 0
  expect(await openMail(secure.url, quiet).send(message('ed@example.com'))).toMatch(/^The mail server/)
  expect(log.map((line) => JSON.parse(line).code)).toEqual(['ESOCKET'])
  expect(secure.commands.filter((command) => command !== 'CONNECT')).toEqual([])
  expect(secure.mails).toEqual([])
  await secure.close()
})

test('beyond this machine, mail goes over TLS or not at all, unless the operator says so', async () => {
  const modes = (url: string) => {
    const { secure, requireTLS, ignoreTLS, port } = readSmtpUrl(`${url}?from=a@example.com`)
    return { secure, requireTLS, ignoreTLS, port }
  }
  expect(modes('smtp://mail.example.com')).toEqual({
    secure: false,
    requireTLS: true,
    ignoreTLS: false,
    port: 587,
  })
  expect(modes('smtps://mail.example.com')).toEqual({
    secure: true,
    requireTLS: false,
    ignoreTLS: false,
    port: 465,
  })
  expect(modes('smtp://[::1]:25')).toEqual({ secure: false, requireTLS: false, ignoreTLS: true, port: 25 })
  expect(readSmtpUrl('smtp://relay:25?tls=off&from=a@example.com')).toMatchObject({ requireTLS: false })
  expect(readSmtpUrl('smtps://a%40example.com:x@mail.example.com').from.address).toBe('a@example.com')
})

test.each([
  'mail.example.com',
  'https://mail.example.com?from=a@example.com',
  'smtp://?from=a@example.com',
  'smtp://s3cret:w0rd@mail.example.com',
  'smtp://mail.example.com?from=nobody',
  'smtp://mail.example.com/path?from=a@example.com',
  'smtp://s3cret:w0rd#x@mail.example.com?from=a@example.com',
  'smtp://mail.example.com?from=a@example.com&s3cret=1',
  'smtp://mail.example.com?from=a@example.com&tls=maybe',
  'smtp://s3cret:%zz@mail.example.com?from=a@example.com',
])('SMTP_URL=%s stops the start with one line that shows nothing of it', (SMTP_URL) => {
  let words = ''
  try {
    readConfig({ SMTP_URL })
  } catch (error) {
    words = (error as Error).message
  }
  expect(words).toMatch(/^SMTP_URL=… is not valid: .+\.$/)
  expect(words).not.toMatch(/\n|s3cret|w0rd/)
})
