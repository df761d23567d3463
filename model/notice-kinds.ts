import { capital } from './capital.ts'
import type { Noun } from './noun.ts'
import { isMass } from './noun.ts'
import { withArticle } from './roles.ts'

/*
 * What people are told in the app and by mail, as data: who is told, in which words, and how it is mailed where they
 * have chosen nothing else. Whatever raises a notice names its kind and the facts; nothing else knows one by its name.
 */

/** When somebody is mailed what a kind of notice tells. */
export const MAIL_CHOICES = ['at_once', 'daily', 'never'] as const
export type MailChoice = (typeof MAIL_CHOICES)[number]

/**
 * What a notice knows beside the record that it is about. Nothing of what a record says stands here, but for what whoever is
 * told is asked to read.
 */
export interface NoticeFacts {
  /** Who did it, as they were called; absent where nobody did. */
  readonly by?: string
  /** What sort of program that was, where it was one: "API key". */
  readonly byProgram?: string
  /** The field that names whoever is told, and its title where it is not the one that says whose a record is. */
  readonly field?: string
  readonly as?: string
  /** So many days before a date; fewer than none where it is over. */
  readonly days?: number
  /** The state that a record came to. */
  readonly state?: string
  /** What else it is about: a mail address, a job, a file. */
  readonly about?: string
  /** What of a job could not be done, such as rows that were not written. */
  readonly errors?: number
  /** The day by which it is asked for. */
  readonly until?: string
  /** The version that it takes the place of, which they acknowledged. */
  readonly replaces?: string
  /** What changed since that before; in mails alone. */
  readonly changed?: string
  /** The address of a place elsewhere. */
  readonly address?: string
  /** Why, in words of ours. */
  readonly why?: string
  /** What a scanner calls what it found. */
  readonly finding?: string
  /** What of the page of the record it is on. */
  readonly tab?: string
  /** Where it can be seen, where it is about no record. */
  readonly page?: string
}

/** A notice, as its words are given it. */
export interface Told extends NoticeFacts {
  /** What the records are; null where it is about none. */
  readonly noun: Noun | null
  readonly count: number
}

export interface NoticeKind {
  /** What it is called in the settings. */
  readonly title: string
  /** Whom it tells, and when. */
  readonly who: string
  /** It tells the admins, and is shown to nobody who is none. */
  readonly isForAdmins?: true
  readonly mail: MailChoice
  /** What it says, without the name of the record. */
  readonly words: (told: Told) => string
}

const kinds = {
  assigned: {
    title: 'Given to you',
    who: 'You, when somebody makes a record yours or names you in it',
    mail: 'at_once',
    words: (told) => {
      const { by, as, count } = told
      if (as)
        return by ? `${by} named you as “${as}” of ${what(told)}` : `You are now “${as}” of ${what(told)}`
      return by
        ? `${by} gave you ${what(told)}`
        : `${capital(what(told))} ${count > 1 ? 'were' : 'was'} given to you`
    },
  },
  asked_to_decide: {
    title: 'Asked to decide',
    who: 'You, when something waits for your decision',
    mail: 'at_once',
    words: (told) =>
      told.by
        ? `${told.by} asks you to decide on ${what(told)}`
        : `${capital(what(told))} ${told.count > 1 ? 'wait' : 'waits'} for your decision`,
  },
  asked_to_hand_in: {
    title: 'Asked to hand in',
    who: 'You, when you are asked for something',
    mail: 'at_once',
    words: (told) => `${told.by ? `${told.by} asks you` : 'You are asked'} to hand in ${what(told)}`,
  },
  asked_to_acknowledge: {
    title: 'Asked to read',
    who: 'You, when a policy is to be read and acknowledged, and while it is not',
    mail: 'at_once',
    words: ({ by, about = 'A policy', until, replaces }) =>
      [
        `${by ? `${by} asks you to` : 'Please'} read and acknowledge ${about.startsWith('“') ? about : `“${about}”`}`,
        until && ` by ${DAY.format(new Date(`${until}T00:00:00Z`))}`,
        replaces && `, a new version that replaces ${replaces}, which you acknowledged`,
      ]
        .filter(Boolean)
        .join(''),
  },
  not_reached: {
    title: 'Not reached',
    who: 'Whoever asked somebody without an account for something, and whoever answers for it, when the mail comes back',
    mail: 'at_once',
    words: (told) => `A mail to somebody who is asked by ${what(told)} came back`,
  },
  decided: {
    title: 'Decided',
    who: 'Whoever asked for a decision, or has what was decided on, when it is made',
    mail: 'at_once',
    words: (told) => {
      const { by, as, count, state } = told
      const is = count > 1 ? 'are' : 'is'
      if (as)
        return by
          ? `${by} ${spaced(state)} ${what(told)} ${as}`
          : `${capital(what(told))} ${as} ${is} ${spaced(state)}`
      const asked = count > 1 ? 'requests' : 'request'
      return by
        ? `${by} ${spaced(state)} your ${asked}: ${what(told)}`
        : `Your ${asked} ${is} ${spaced(state)}: ${what(told)}`
    },
  },
  handed_in: {
    title: 'Handed in',
    who: 'Whoever asked for something, when it is there',
    mail: 'at_once',
    words: (told) =>
      told.by
        ? `${told.by} handed in ${what(told)} that you asked for`
        : `${capital(what(told))} that you asked for ${told.count > 1 ? 'are' : 'is'} there`,
  },
  moved: {
    title: 'Date moved',
    who: 'Whoever is asked for something, and whoever asked, when somebody moves the day of it',
    mail: 'at_once',
    words: (told) =>
      `${told.by ?? 'Somebody'} moved the day of ${what(told)}${told.as ? ` that ${told.as}` : ''}`,
  },
  due: {
    title: 'Due soon',
    who: 'Whoever sees to a record, some days before a date of it, and on the day',
    mail: 'daily',
    words: (told) => {
      const { as = 'Due', days = 0 } = told
      return `${days < 0 ? overdue(as) : `${as} ${inDays(days)}`}: ${what(told)} of yours`
    },
  },
  overdue: {
    title: 'Overdue',
    who: 'Whoever sees to a record, when a date of it has passed',
    mail: 'daily',
    words: (told) => `${overdue(told.as)}: ${what(told)} of yours`,
  },
  lapsed: {
    title: 'Lapsed',
    who: 'Whoever sees to a record that ended with its date, asked for it or had it; admins, where nobody sees to it',
    mail: 'at_once',
    words: (told) => `${capital(what(told))} ${told.as ?? 'that you see to'} ${comeTo(told)}`,
  },
  mentioned: {
    title: 'Mentioned',
    who: 'You, when somebody mentions you in a comment',
    mail: 'at_once',
    words: (told) => `${told.by ?? 'Somebody'} mentioned you in a comment on ${what(told)}`,
  },
  commented: {
    title: 'Comment',
    who: 'Whoever is named in a record, or commented on it before',
    mail: 'daily',
    words: (told) => `${told.by ?? 'Somebody'} commented on ${what(told)}`,
  },
  job_done: {
    title: 'Job done',
    who: 'Whoever started what took longer than a minute, such as an export or an import',
    mail: 'at_once',
    words: ({ about = 'A job', errors = 0 }) =>
      errors === 0 ? `Done: ${about}` : `Done, with ${errors} ${errors === 1 ? 'error' : 'errors'}: ${about}`,
  },
  job_failed: {
    title: 'Job failed',
    who: 'The same, where it could not be done',
    mail: 'at_once',
    words: ({ about = 'A job' }) => `Could not be done: ${about}`,
  },
  endpoint_off: {
    title: 'Webhook endpoint off',
    who: 'Admins, when failures turn a webhook endpoint off',
    isForAdmins: true,
    mail: 'at_once',
    words: ({ address = 'an endpoint', why }) =>
      `Failures turned off the webhook endpoint ${address}${why ? `: ${why}` : ''}`,
  },
  file_infected: {
    title: 'Infected file',
    who: 'Admins, when the virus scanner finds something in a file; nobody can download it then',
    isForAdmins: true,
    mail: 'at_once',
    words: ({ about = 'a file', finding = 'something' }) => `The virus scanner found ${finding} in ${about}`,
  },
  address_bounced: {
    title: 'An address takes no mail',
    who: 'Admins, when the mail server takes no mail for a member, or for somebody who is asked by a link',
    isForAdmins: true,
    mail: 'at_once',
    words: ({ about = 'a member' }) => `Mail to ${about} cannot be delivered`,
  },
} as const satisfies Record<string, NoticeKind>

/** 2 December 2026. */
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

export type NoticeName = keyof typeof kinds

export const noticeKinds: Readonly<Record<NoticeName, NoticeKind>> = kinds

/**
 * What a notice says; a program is told from a person: “The API key “scanner” gave you a task”.
 * @param quote for a name that does not stand in quotation marks yet
 */
export function noticeWords(
  kind: NoticeName,
  { by, byProgram, ...told }: Told,
  quote = (name: string) => `“${name}”`,
): string {
  const doer = by && byProgram ? `The ${byProgram} ${quote(by)}` : by
  return noticeKinds[kind].words({ ...told, ...(doer && { by: doer }) })
}

export const NOTICE_NAMES = Object.keys(kinds) as [NoticeName, ...NoticeName[]]

/** "a risk", "300 risks", "evidence". */
function what({ noun, count }: Told): string {
  if (!noun) return 'something'
  if (count === 1) return withArticle(noun)
  return isMass(noun) ? `${noun.many} in ${count} records` : `${count} ${noun.many}`
}

/** "has expired", "are now inactive". */
function comeTo({ count, state }: Told): string {
  if (state === 'expired') return `${count > 1 ? 'have' : 'has'} expired`
  return `${count > 1 ? 'are' : 'is'} now ${spaced(state)}`
}

const inDays = (days: number): string => (days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`)

/** "Overdue", "Request overdue", "End of support has passed". */
function overdue(as = 'Due'): string {
  if (as === 'Due') return 'Overdue'
  if (as === 'Ends') return 'Has ended'
  return as.endsWith(' due') ? as.replace(/ due$/, ' overdue') : `${as} has passed`
}

const spaced = (state = ''): string => state.replaceAll('_', ' ')
