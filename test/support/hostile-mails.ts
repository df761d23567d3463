import { type NoticeName, noticeKinds } from '../../model/notice-kinds.ts'
import type { Message } from '../../server/mail/mail.ts'
import { attestationMail, guestCodeMail, guestLinkMail, invitationMail } from '../../server/mail/messages.ts'
import { noticesMail } from '../../server/mail/notices-mail.ts'

const HOME = 'https://plumb.example/'
const TO = 'reader@acme.example'

/** Every mail that says what somebody else calls a thing, an organization or a person. */
export function mailsThatSay(name: string): Message[] {
  const given = { organization: name, title: name, owner: name, by: name, address: `${HOME}x#token=T` }
  const facts = { by: name, about: name, finding: name, changed: name }
  const said = Object.keys(noticeKinds).map((kind) => ({
    ...{ kind: kind as NoticeName, facts, noun: null, count: 1 },
  }))
  const notices = said.map((one) => ({
    ...{ ...one, title: `About ${name}`, reference: name, reason: name, also: said.slice(0, 1) },
    ...{ dueOn: '2026-12-02', isOver: false },
    address: `${HOME}policies/pol_1`,
  }))
  return [
    invitationMail(TO, { ...given, days: 7 }),
    guestLinkMail(TO, { ...given, until: '2 December 2026' }),
    attestationMail(TO, {
      ...{ ...given, dueDate: '2026-12-02', version: '2.0', replaces: '1.0', changed: name },
    }),
    guestCodeMail(TO, { ...given, code: '123456', minutes: 15 }),
    ...[notices, ...notices.map((one) => [one])].map((some) =>
      noticesMail(TO, {
        ...{ organization: name, notices: some, further: 2 },
        ...{ inbox: `${HOME}inbox`, settings: `${HOME}account`, unsubscribe: `${HOME}off` },
      }),
    ),
  ]
}

const OURS =
  /^<(?:!doctype html|html lang="en"|body|p|\/p|\/a|\/body|\/html|a href="https:\/\/plumb\.example\/[\w/#=]*")>$/
/** What a mail program would make a link of. */
const LINKS = /:\/\/|www\.|\w@\w|\w\.(?:example|exe)\b/

/** @returns what in a mail is more than words: a line of its head, markup that is not ours, a link to somebody else */
export function harmIn({ subject, text, html }: Message): string[] {
  const said = [subject, text, html.replace(/<[^>]*>/g, ' ')].join('\n').replaceAll(HOME, ' ')
  return [
    ...(/[\p{C}\p{Zl}\p{Zp}]/u.test(subject) ? [subject] : []),
    ...html.match(/<[^>]*>?/g)!.filter((tag) => !OURS.test(tag)),
    ...(LINKS.exec(said) ?? []),
  ]
}
