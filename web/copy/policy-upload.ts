import { countWord } from './counts.ts'

/** What is said where many files become policies. */
export const policyUpload = {
  title: 'Upload policies',
  text: 'Each file becomes a policy with a draft: Word and PDF as they are, the others as text. Names and types are guessed: correct what is wrong.',
  drop: 'Drop the files here',
  choose: 'Choose files',
  taken: (most: number) =>
    `Word, PDF, Markdown, plain text and web pages (.docx, .pdf, .md, .txt, .html), by themselves or in a .zip, up to ${most} at once.`,
  forAll: 'For all of them',
  add: (count: number) => (count === 1 ? 'Add 1 policy' : `Add ${countWord(count)} policies`),
  nothing: 'Nothing is chosen.',
  counts: (added: number, all: number) => `${countWord(added)} of ${countWord(all)} added`,
  tooMany: (left: number, most: number) =>
    `${countWord(left)} more ${left === 1 ? 'file was' : 'files were'} left out: ${most} are taken at once.`,
  again: 'Start over',
  columns: { take: 'Take', file: 'File', name: 'Name', type: 'Type', state: 'State' },
  takeOne: (file: string) => `Take ${file}`,
  nameOf: (file: string) => `Name of ${file}`,
  typeOf: (file: string) => `Type of ${file}`,
  states: { reading: 'Reading', ready: 'Ready', left: 'Left out', sending: 'Adding', added: 'Added' },
  known: (reference: string) => `${reference} has this name already.`,
  twice: 'Another file has this name.',
  nameless: 'Give it a name.',
  fieldsLeft: (names: readonly string[]) =>
    `Fields above the text were not imported: ${names
      .slice(0, 12)
      .map((name) => name.slice(0, 40))
      .join(', ')}${names.length > 12 ? `, and ${countWord(names.length - 12)} more` : ''}.`,
  commentsLeft: 'Comments above the text were not imported.',
  unread: {
    type: 'This type of file cannot be read here: save it as .docx, PDF, Markdown or plain text.',
    noText: 'There is no text in it that can be read.',
    empty: 'It is empty, or cannot be taken out of its archive: choose the file itself.',
    otherForm: (ending: string) =>
      ending === 'pdf'
        ? 'It is no PDF, though its name ends in .pdf: save it as PDF again.'
        : `It is no Word document of today, though its name ends in .${ending}: save it as .docx again.`,
    archive: 'It is no ZIP archive that can be unpacked here: choose the files in it.',
    large: 'It is longer than a policy may be: about 200 pages.',
  },
  lose: {
    title: 'Leave without adding them?',
    text: 'The files that are not added yet will have to be chosen again.',
    verb: 'Leave',
  },
}
