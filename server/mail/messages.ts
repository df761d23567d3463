import { letter, NOTES_AT_MOST, quoted } from './letter.ts'
import type { Message } from './mail.ts'

/* What we write to people. Names in it are other people's words (letter.ts). */

/** @param by who invites, where it is somebody */
export function invitationMail(
  to: string,
  given: { organization: string; by: string | null; address: string; days: number },
): Message {
  const { address, days } = given
  const organization = quoted(given.organization)
  const by = given.by && quoted(given.by)
  return letter(to, {
    subject: by ? `${by} invites you to ${organization}` : `You are invited to ${organization}`,
    lines: [
      by
        ? `${by} invites you to ${organization} on Plumbline.`
        : `You are invited to ${organization} on Plumbline.`,
    ],
    action: { label: 'Accept the invitation', address },
    ending: `The link works once, for ${days} days. If you did not expect it, there is nothing to do.`,
  })
}

export function passwordResetMail(to: string, given: { address: string; hours: number }): Message {
  return letter(to, {
    subject: 'Choose a new password',
    lines: ['Somebody, most likely you, asked for a new password for Plumbline.'],
    action: { label: 'Choose a new password', address: given.address },
    ending: `The link works once, for ${hoursTold(given.hours)}, and so do the links of earlier mails until one of them is used. If it was not you, there is nothing to do: your password stays.`,
  })
}

export function signInMail(to: string, given: { address: string; hours: number }): Message {
  return letter(to, {
    subject: 'Finish signing in',
    lines: [
      'Somebody, most likely you, signed in to Plumbline with your password. Because many wrong passwords were tried for your account lately, it takes this link as well.',
    ],
    action: { label: 'Finish signing in', address: given.address },
    ending: `The link works once, for ${hoursTold(given.hours)}. If it was not you, somebody knows your password: choose a new one now.`,
  })
}

export function signInWaveMail(to: string): Message {
  return letter(to, {
    subject: 'Somebody is guessing your password',
    lines: [
      'Many wrong passwords were tried for your Plumbline account within the last hour, from networks where you have not signed in. None of them let anybody in.',
      'In a browser that you have used before, you sign in as always. Elsewhere it may take one more step for a while.',
    ],
    ending:
      'There is nothing you have to do. If you use this password anywhere else, choose a new one; a passkey or an authenticator app protects your account best.',
  })
}

export function passwordChangedMail(to: string): Message {
  return letter(to, {
    subject: 'Your password was changed',
    lines: ['Your password for Plumbline was changed just now by a link, and every session of yours ended.'],
    ending: 'If it was not you, tell an admin of your organization now, and choose a new password.',
  })
}

/** @param given.title what the record is called that they are let in for */
export function guestLinkMail(
  to: string,
  given: { organization: string; title: string; address: string; until: string },
): Message {
  const [organization, title] = [quoted(given.organization), quoted(given.title)]
  return letter(to, {
    subject: `${organization} asks you about ${title}`,
    lines: [`${organization} asks you about ${title}. You need no account for it.`],
    action: { label: 'Open it', address: given.address },
    ending: `The link is for you alone, until ${given.until}. Earlier links open nothing any more.`,
  })
}

/**
 * @param given.dueDate the day by which an answer is asked for
 * @param given.replaces the version that they acknowledged before, which this one takes the place of
 * @param given.changed what changed since that, or else since the version before, in the words of whoever wrote it
 * @param given.owner what whoever is responsible for the policy is called: an address would become a link
 */
export function attestationMail(
  to: string,
  given: {
    organization: string
    title: string
    version: string
    dueDate: string
    replaces: string | null
    changed: string | null
    owner: string | null
    address: string
  },
): Message {
  const { owner, version, replaces, changed } = given
  const [organization, title] = [quoted(given.organization), quoted(given.title)]
  return letter(to, {
    subject: `Please read ${title}`,
    lines: [
      `${organization} asks you to read ${title} and to acknowledge it by ${dayTold(given.dueDate)}. You do not need an account.`,
      ...(replaces
        ? [`It is version ${version}, and replaces version ${replaces}, which you acknowledged.`]
        : []),
      ...(changed ? [`What changed: ${quoted(changed, NOTES_AT_MOST)}`] : []),
      ...(owner
        ? [
            `${quoted(owner)} is responsible for it. If in doubt whether this mail is genuine, ask them first.`,
          ]
        : []),
    ],
    action: { label: 'Read it', address: given.address },
    ending: 'The link is for you alone: please do not forward it.',
  })
}

export function guestCodeMail(
  to: string,
  given: { organization: string; code: string; minutes: number },
): Message {
  return letter(to, {
    subject: `${given.code} is your code`,
    lines: [
      `${given.code} is the code that shows ${quoted(given.organization)} that this mailbox is yours.`,
      `It is good for ${given.minutes} minutes, in the browser that asked for it.`,
    ],
    ending: 'If you did not ask for it, somebody has a link of yours: give this code to nobody.',
  })
}

/** A day as mails say it to whoever reads them, in whatever country: 2 December 2026. */
const dayTold = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )

const hoursTold = (hours: number): string => (hours === 1 ? 'an hour' : `${hours} hours`)
