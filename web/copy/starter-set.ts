import { counted } from './counts.ts'

/** The dialogs that add a starter set and remove it. */
export const starterSet = {
  dialog: 'Add a starter set',
  dialogText:
    'The risks are not rated yet. All records have the label “starter”. You can remove the unchanged ones together later.',
  risks: 'Risks',
  controls: 'Controls',
  isHere: 'Already added',
  add: (count: number) => `Add ${counted(count, 'record', 'records')}`,
  removal: 'Remove the starter set?',
  removalText: (untouched: number) =>
    `${counted(untouched, 'unchanged record is', 'unchanged records are')} deleted, with a signal for each risk. Changed or linked records stay.`,
}
