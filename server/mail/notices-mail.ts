import type { NoticeFacts, NoticeName } from '../../model/notice-kinds.ts'
import { noticeKinds, noticeWords } from '../../model/notice-kinds.ts'
import type { Noun } from '../../model/noun.ts'
import { letter, NOTES_AT_MOST, quoted, quotedAddress, quotedMailbox, WORDS_AT_MOST } from './letter.ts'
import type { Message } from './mail.ts'

/* One mail about what somebody was told. Titles and names in it are other people's words (letter.ts). */

/** What a notice says, without the record. */
type Said = Readonly<{ kind: NoticeName; facts: NoticeFacts; noun: Noun | null; count: number }>

export interface MailedNotice extends Said {
  /** What the record is called; null where it is about several, or none. */
  readonly title: string | null
  readonly reference: string | null
  /** Why it is in its state, where somebody who decided said so. */
  readonly reason: string | null
  /** The day on which it is due. */
  readonly dueOn: string | null
  /** Whether that day is over. */
  readonly isOver: boolean
  /** What else was told of the same record. */
  readonly also: readonly Said[]
  readonly address: string
}

export interface NoticesMail {
  readonly organization: string
  readonly notices: readonly MailedNotice[]
  /** How many more there are. */
  readonly further: number
  readonly inbox: string
  readonly settings: string
  /** Where one POST turns off mail of these kinds. */
  readonly unsubscribe: string
}

export function noticesMail(
  to: string,
  { notices, further, inbox, settings, unsubscribe, ...given }: NoticesMail,
): Message {
  const organization = quoted(given.organization)
  // What weighs most comes first; of what weighs the same the newest.
  const sorted = notices.toSorted((one, other) => weightOf(one) - weightOf(other))
  const [first] = sorted
  const isOne = notices.length === 1
  const others = notices.length - 1 + further
  const message = letter(to, {
    subject: isOne ? sentenceOf(first!) : `${sentenceOf(first!)}, and ${others} more`,
    lines: isOne ? [lineOf(first!)] : [`New for you in ${organization}:`],
    items: isOne ? [] : sorted.map((notice) => ({ line: lineOf(notice), address: notice.address })),
    action:
      further > 0
        ? { label: `Open the inbox, with ${further} more`, address: inbox }
        : isOne
          ? { label: 'Open it', address: first!.address }
          : { label: 'Open the inbox', address: inbox },
    ending: `You get this mail because you are told of ${whyOf(notices)} in ${organization}. Choose what is mailed, and when, under “Notifications” of your account:`,
    endingAddress: settings,
  })
  return { ...message, unsubscribe }
}

const lineOf = (notice: MailedNotice): string =>
  [
    sentenceOf(notice),
    ...alsoTold(notice).map((words) => `. Also: ${words}`),
    notice.reason ? `. Reason: ${quoted(notice.reason, WORDS_AT_MOST)}` : '',
    notice.facts.changed ? `. What changed: ${quoted(notice.facts.changed, NOTES_AT_MOST)}` : '',
  ].join('')

const ALSO_AT_MOST = 3

/** Each once, and nothing that the sentence says already. */
function alsoTold(notice: MailedNotice): string[] {
  const words = new Set(notice.also.map(wordsOf))
  words.delete(wordsOf(notice))
  return [...words].slice(0, ALSO_AT_MOST)
}

/** What cannot wait, the gravest first; the rest is told behind it. */
const GRAVE: readonly NoticeName[] = [
  ...(['endpoint_off', 'file_infected', 'lapsed', 'overdue'] as const),
  ...(['asked_to_decide', 'asked_to_hand_in', 'due'] as const),
]

const weightOf = ({ kind }: MailedNotice): number => {
  const at = GRAVE.indexOf(kind)
  return at < 0 ? GRAVE.length : at
}

const sentenceOf = (notice: MailedNotice): string => {
  const { kind, title, reference, dueOn, isOver } = notice
  const words = wordsOf(notice)
  if (title === null) return words
  const said = [reference === null || reference === title ? null : told(reference), quoted(title)]
    .filter(Boolean)
    .join(' ')
  // What tells of a date says already how near it is; and who is named as something is not asked by the day of another.
  const isDated = dueOn !== null && DATED.includes(kind) && !(kind === 'assigned' && notice.facts.as)
  return `${words}: ${said}${isDated ? `, ${isOver ? 'was due' : 'due'} ${DAY.format(new Date(dueOn))}` : ''}`
}

function wordsOf({ kind, facts, noun, count }: Said): string {
  const { by, about, address, finding } = facts
  const quotedAbout = kind === 'address_bounced' ? quotedMailbox : quoted
  const safe = {
    ...facts,
    ...(by ? { by: quoted(by) } : {}),
    ...(about ? { about: quotedAbout(about) } : {}),
    ...(finding ? { finding: quoted(finding) } : {}),
    ...(address ? { address: quotedAddress(address) } : {}),
  }
  return noticeWords(kind, { ...safe, noun, count }, (name) => name)
}

/** As frameworks and our own lists print it, RSK-12 or A.5.1: no address is of this form. */
const PRINTED = /^[A-Za-z]{0,5}(?:[-. ]?[A-Z]{0,3}[-. ]?\d{1,5}){1,3}$/
/** What somebody else may have written too, such as the key of a requirement of their own. */
const told = (reference: string): string => (PRINTED.test(reference) ? reference : quoted(reference))

const DATED: readonly NoticeName[] = ['assigned', 'asked_to_decide', 'asked_to_hand_in', 'moved']

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** "“Given to you” and “Decided”". */
const whyOf = (notices: readonly MailedNotice[]): string => {
  const titles = new Set(notices.map(({ kind }) => `“${noticeKinds[kind].title}”`))
  return new Intl.ListFormat('en-GB').format(titles)
}
