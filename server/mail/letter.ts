import type { Message } from './mail.ts'

/**
 * The form of what we write to people. Names in it are other people's words, and our mail server must not carry a stranger's
 * message: so each is in quotation marks, short, on one line, and in a form that no mail program turns into a link.
 */

export interface Letter {
  readonly subject: string
  readonly lines: readonly string[]
  /** Things told one by one, each with the address where it can be seen. */
  readonly items?: readonly { readonly line: string; readonly address: string }[]
  readonly action?: { readonly label: string; readonly address: string }
  readonly ending: string
  /** Where the ending sends somebody to. */
  readonly endingAddress?: string
}

export function letter(to: string, given: Letter): Message {
  const { subject, lines, items = [], action, ending, endingAddress } = given
  const link = action ? [`${action.label}:\n${action.address}`] : []
  const endings = endingAddress ? `${ending}\n${endingAddress}` : ending
  const paragraphs = [
    ...lines.map((line) => plain(oneLine(line))),
    ...items.map(({ line, address }) => anchor(oneLine(line), address)),
    ...(action ? [anchor(action.label, action.address)] : []),
    endingAddress ? `${plain(ending)} ${anchor(endingAddress, endingAddress)}` : plain(ending),
  ]
  const told = items.map(({ line, address }) => `${oneLine(line)}\n${address}`)
  return {
    to,
    subject: oneLine(subject),
    text: `${[...lines.map(oneLine), ...told, ...link, endings].join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body>${paragraphs.map((one) => `<p>${one}</p>`).join('')}</body></html>`,
  }
}

const anchor = (label: string, address: string): string => `<a href="${plain(address)}">${plain(label)}</a>`

const NAME_AT_MOST = 60
const ADDRESS_AT_MOST = 120
/** What somebody wrote in a sentence or two. */
export const WORDS_AT_MOST = 300
/** What was written of several versions. */
export const NOTES_AT_MOST = 600

/**
 * Two numbers or three, as no host name and no address ends in, or how the name of a file ends, which is no domain; or a
 * full stop before anything else.
 */
const VERSION_OR_STOP =
  /[.](?:csv|docx?|jpe?g|pdf|png|pptx?|txt|xlsx?)(?![\p{L}\p{N}_-]|[.。․]\S)|(?<![\p{L}\p{N}.。․_-])\p{L}*\p{Nd}+(?:\.\p{Nd}+){1,2}(?![\p{L}\p{N}_-]|[.。․]\S)|[.。․](?=\S)/giu

/**
 * A name that somebody chose, as a mail shows it. Mail programs make a link of whatever looks like an address or a
 * host name, so the signs that make one are taken out: of `Visit https://evil.example/now` are left
 * “Visit https evil example now”. A full stop before a space, as in “Dr. Grey”, makes none, and none do those of
 * a version, as in “TLS 1.3”, or of a file, as in “big.csv”. What is in straight quotation marks stays so, in single ones.
 */
export function quoted(name: string, atMost = NAME_AT_MOST): string {
  const plainName = name
    .normalize('NFKC')
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replaceAll('"', "'")
    .replace(/:(?! )|[/\\@<>“”„‟]+/gu, ' ')
    .replace(VERSION_OR_STOP, (found) => (found.length > 1 ? found : ' '))
    .replace(/ +/g, ' ')
    .trim()
  const signs = Array.from(new Intl.Segmenter().segment(plainName), ({ segment }) => segment)
  const cut = signs.length > atMost ? `${signs.slice(0, atMost - 1).join('')}…` : plainName
  return `“${cut || 'unnamed'}”`
}

/**
 * An address that somebody chose, to be read and known again, and in a form that no mail program turns into a link:
 * `https://hooks.example.com/in?token=…` as “hooks[.]example[.]com/in”.
 */
export function quotedAddress(address: string): string {
  const { host, pathname } = new URL(address)
  const shown = `${host}${pathname === '/' ? '' : pathname}`.replaceAll('.', '[.]')
  return `“${shown.length > ADDRESS_AT_MOST ? `${shown.slice(0, ADDRESS_AT_MOST - 1)}…` : shown}”`
}

/**
 * A mailbox, to be read and known again, and in a form that no mail program turns into a link: “ada[@]acme[.]example”.
 * What is none is a name.
 */
export function quotedMailbox(mailbox: string): string {
  if (mailbox.length > ADDRESS_AT_MOST || !MAILBOX.test(mailbox)) return quoted(mailbox)
  return `“${mailbox.replaceAll('.', '[.]').replace('@', '[@]')}”`
}

const MAILBOX = /^[\w.+'-]+@[\w.-]+$/

const oneLine = (text: string) => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const plain = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign]!)
