import { counted, countWord } from './counts.ts'

/** Of two texts, what changed from one to the other: on pages behind sign-in, and where a guest reads. */
export const compared = {
  label: (from: string, to: string) => `Changes from version ${from} to ${to}`,
  older: 'Older:',
  newer: 'Newer:',
  gone: 'removed',
  come: 'added',
  leadsTo: 'to',
  stood: {
    draft: 'Draft, begun',
    pending_approval: 'Pending approval, submitted',
    approved: 'Approved',
    published: 'Published',
    discarded: 'Discarded, begun',
  },
  same: 'Both say the same.',
  /** Of passages, those of which there are some. */
  counts: (changed: number, added: number, removed: number, moved: number, reformatted: number) =>
    `${counted(changed, 'passage', 'passages')} reworded, ${countWord(added)} added, ${countWord(removed)} removed, ${countWord(moved)} moved${reformatted > 0 ? `, ${countWord(reformatted)} with new formatting` : ''}`,
  movedHere: 'Moved here',
  movedAway: 'Moved elsewhere',
  reformatted: 'Only its formatting changed',
  unchanged: (count: number) => `${countWord(count)} ${count === 1 ? 'passage' : 'passages'} unchanged`,
  unchangedRows: (count: number) => `${countWord(count)} ${count === 1 ? 'row' : 'rows'} unchanged`,
  comparing: 'Comparing …',
  coarse:
    'The texts are so long, or so unlike, that some of their passages are shown whole in place of word by word.',
  more: (count: number) => `Show ${countWord(count)} more`,
}
