import { capital } from '../../model/capital.ts'
import type { Noun } from '../../model/kind.ts'
import { counted, countWord } from './counts.ts'
import { lower } from './records.ts'

/** What the dialog says that makes one record of two. */
export const merge = {
  button: 'Merge',
  title: ({ many }: Noun) => `Merge two ${many}`,
  other: ({ one }: Noun) => `The other ${one}`,
  otherText: 'Choose the one that is about the same.',
  stays: 'Which one stays?',
  staysText: 'It keeps what it has. The other one is deleted.',
  plan: 'What will happen',
  goes: (reference: string) =>
    `${reference} is deleted. Its id leads nowhere afterwards; its history stays in the audit log.`,
  points: (count: number, one: string, many: string, reference: string) =>
    `${counted(count, one, many)} will point at ${reference}.`,
  linked: (count: number, known: number, one: string, many: string, reference: string) =>
    `${counted(count, one, many)} will be linked with ${reference}${known > 0 ? `, of which ${countWord(known)} ${known === 1 ? 'is' : 'are'} already` : ''}.`,
  nothingMoves: 'Nothing points at it, and it is linked with nothing.',
  fills: (titles: readonly string[], reference: string) =>
    `${reference} takes what it lacks: ${titles.map((title, at) => (at === 0 ? capital(title) : lower(title))).join(', ')}.`,
  fillsNothing: (reference: string) => `${reference} lacks nothing that the other has.`,
  cannotUndo: 'This cannot be undone.',
  submit: (gone: string, kept: string) => `Merge ${gone} into ${kept}`,
}
