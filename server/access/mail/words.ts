import type { Message } from '../mail.ts'

/** What we write to people. Names in it are other people's words: one line each, and no markup. */

interface Letter {
  readonly subject: string
  readonly lines: readonly string[]
  readonly action?: { readonly label: string; readonly address: string }
  readonly ending: string
}

/** @param by who invites, where it is somebody */
export function invitationMail(
  to: string,
  given: { organization: string; by: string | null; address: string; days: number },
): Message {
  const { organization, by, address, days } = given
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
    ending: `The link works once, for ${given.hours === 1 ? 'an hour' : `${given.hours} hours`}. If it was not you, there is nothing to do: your password stays.`,
  })
}

export function passwordChangedMail(to: string): Message {
  return letter(to, {
    subject: 'Your password was changed',
    lines: ['Your password for Plumbline was changed just now by a link, and every session of yours ended.'],
    ending: 'If it was not you, tell an admin of your organization now, and choose a new password.',
  })
}

function letter(to: string, { subject, lines, action, ending }: Letter): Message {
  const link = action ? [`${action.label}:\n${action.address}`] : []
  const anchor = action ? [`<a href="${plain(action.address)}">${plain(action.label)}</a>`] : []
  const paragraphs = [...lines.map((line) => plain(oneLine(line))), ...anchor, plain(ending)]
  return {
    to,
    subject: oneLine(subject),
    text: `${[...lines.map(oneLine), ...link, ending].join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body>${paragraphs.map((one) => `<p>${one}</p>`).join('')}</body></html>`,
  }
}

const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const plain = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign]!)
