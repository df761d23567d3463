import { countWord } from './counts.ts'

/** What admins are reminded of until they have looked at it. */
export const shutOffs = {
  title: (count: number) =>
    count === 1
      ? 'A webhook endpoint was turned off'
      : `${countWord(count)} webhook endpoints were turned off`,
  text: 'Too many attempts in a row failed. Changes made since then are not sent there, also not later. Fix the receiver, send a test, and turn the endpoint on again.',
  last: (failures: number, meaning: string) =>
    failures === 1 ? meaning : `${countWord(failures)} failed attempts, the last: ${meaning}`,
  dismiss: 'Dismiss',
}
