import { z } from 'zod'
import type { Message } from '../mail/mail.ts'
import { type Parts, scope } from '../operation.ts'
import { type Failed, jobKind } from './job-kind.ts'

/*
 * Mail to people, as jobs: written with the change that they tell of, they leave also where the process ends before.
 * What a mail holds may let somebody in, so it is sealed while it waits, and wiped when it has left. It is tried once:
 * whoever waits for a mail that was lost asks for another. Only where the process ended while it was on its way, it may
 * come twice.
 */

/** Of every kind that mails: a few at a time, and no more than a flood of them could fill. */
export const MAILS = {
  needs: scope(),
  perOrganization: 2,
  waitingAtMost: 500,
  keptDays: 1,
  isSealed: true,
} as const

export const sendMail = jobKind({
  ...MAILS,
  name: 'sendMail',
  title: 'Send a mail',
  input: z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string() }),
  run: ({ input, parts }) => mailNow(parts, input),
})

/** Sends a mail, within a job. */
export async function mailNow({ mail }: Parts, message: Message): Promise<Failed | undefined> {
  const failed = mail ? await mail.send(message) : 'This service sends no mail any more.'
  return failed === null ? undefined : { failed }
}
