import { countWord } from './counts.ts'

/** What admins are reminded of until they have looked at it. */
export const shutOffs = {
  /** Before their addresses. */
  title: (count: number) =>
    count === 1
      ? 'A webhook endpoint was turned off:'
      : `${countWord(count)} webhook endpoints were turned off:`,
  text: 'Changes made since then are not sent there.',
  dismiss: 'Dismiss',
}
