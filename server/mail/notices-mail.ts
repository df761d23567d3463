import type { NoticeFacts, NoticeName } from '../../model/notice-kinds.ts'
import { noticeKinds } from '../../model/notice-kinds.ts'
import type { Noun } from '../../model/noun.ts'
import { letter, quoted, quotedAddress } from './letter.ts'
import type { Message } from './mail.ts'

/* One mail about what somebody was told. Titles and names in it are other people's words (letter.ts). */

export interface MailedNotice {
  readonly kind: NoticeName
  readonly facts: NoticeFacts
  readonly noun: Noun | null
  readonly count: number
  /** What the record is called; null where it is about several, or none. */
  readonly title: string | null
  readonly reference: string | null
  /** The day on which it is due. */
  readonly dueOn: string | null
  readonly address: string
}

export interface NoticesMail {
  readonly organization: string
  readonly notices: readonly MailedNotice[]
  /** How many more there are. */
  readonly further: number
  readonly inbox: string
  readonly settings: string
}

export function noticesMail(
  to: string,
  { notices, further, inbox, settings, ...given }: NoticesMail,
): Message {
  const organization = quoted(given.organization)
  const [first] = notices
  const isOne = notices.length === 1
  return letter(to, {
    subject: isOne ? sentenceOf(first!) : `${notices.length + further} notices of ${organization}`,
    lines: isOne ? [] : [`This is new for you in ${organization}:`],
    items: notices.map((notice) => ({ line: sentenceOf(notice), address: notice.address })),
    action:
      further > 0
        ? { label: `Open the inbox, with ${further} more`, address: inbox }
        : isOne
          ? { label: 'Open it', address: first!.address }
          : { label: 'Open the inbox', address: inbox },
    ending: `You get this mail because you are told of ${whyOf(notices)} in ${organization}. Choose what is mailed, and when, under “Notifications” of your account:`,
    endingAddress: settings,
  })
}

const sentenceOf = ({ kind, facts, noun, count, title, reference, dueOn }: MailedNotice): string => {
  const { by, about, address, finding } = facts
  const safe = {
    ...facts,
    ...(by ? { by: quoted(by) } : {}),
    ...(about ? { about: quoted(about) } : {}),
    ...(finding ? { finding: quoted(finding) } : {}),
    ...(address ? { address: quotedAddress(address) } : {}),
  }
  const words = noticeKinds[kind].words({ ...safe, noun, count })
  if (title === null) return words
  const said = [reference, quoted(title)].filter(Boolean).join(' ')
  // What tells of a date says already how near it is.
  const isDated =
    dueOn !== null && (kind === 'assigned' || kind === 'asked_to_decide' || kind === 'asked_to_hand_in')
  return `${words}: ${said}${isDated ? `, due ${DAY.format(new Date(dueOn))}` : ''}`
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** "“Given to you” and “Decided”". */
const whyOf = (notices: readonly MailedNotice[]): string => {
  const titles = new Set(notices.map(({ kind }) => `“${noticeKinds[kind].title}”`))
  return new Intl.ListFormat('en-GB').format(titles)
}
