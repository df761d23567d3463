import type { Noun } from '../../model/kind.ts'
import { lower } from './records.ts'

/** What is asked before a record is archived, or brought back. */
export const archiving = {
  archive: {
    title: (reference: string) => `Archive ${reference}?`,
    text: (name: string) =>
      `“${name}” is left out of lists, counts and results, its deadlines end, and nobody can change it until it is unarchived. Its links and its history stay.`,
    submit: ({ one }: Noun) => `Archive ${one}`,
  },
  goes: 'Archived with it:',
  unarchive: {
    title: (reference: string) => `Unarchive ${reference}?`,
    text: (name: string) =>
      `“${name}” is in lists, counts and results again and can be changed, with what was archived with it. Deadlines that passed meanwhile are told of at once.`,
    submit: ({ one }: Noun) => `Unarchive ${one}`,
  },
  leaving: {
    title: (reference: string, state: string) => `Set ${reference} to ${state}?`,
    text: (name: string, from: string) =>
      `“${name}” is ${from} no longer then, and no step leads back: it is ${from} again once somebody has decided on it anew.`,
    submit: (state: string) => `Set to ${state}`,
  },
  proof: {
    lost: 'Unproven then, unless other evidence proves all of it:',
    more: 'and others',
  },
  comesBack: (state: string) => `Unarchived, its status will be ${lower(state)}, whatever it was before.`,
  state: (state: string) => `Its status will be ${lower(state)}.`,
}
