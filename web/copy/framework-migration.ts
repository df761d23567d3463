import { counted, countWord } from './counts.ts'
import { lower } from './records.ts'

const answers = (count: number) => counted(count, 'answer', 'answers')
const requirements = (count: number) => counted(count, 'requirement', 'requirements')

/** What the page says on which answers go from one edition of a framework to another. */
export const frameworkMigration = {
  title: 'Move to another edition',
  of: (name: string, edition: string) => `${name}, ${edition}`,
  text: 'Answers, and links with controls, evidence and tasks, are copied to the other edition. This one stays as it is, and the move can be undone as a whole for 30 days.',
  adminsOnly: 'Only admins can move answers to another edition.',
  to: 'Other edition',
  choose: 'Choose a framework',
  none: 'There is no other framework yet. Bring the new edition in from the library, or import a file.',
  library: 'Framework library',
  summary: {
    title: 'What becomes of the answers',
    answers: (count: number) =>
      count === 0 ? 'Nothing is answered in this edition yet.' : `${answers(count)} in this edition:`,
    carried: (count: number) => `${countWord(count)} ${count === 1 ? 'goes' : 'go'} to one requirement`,
    carriedToSeveral: (count: number) => `${countWord(count)} ${count === 1 ? 'goes' : 'go'} to several`,
    asked: (count: number) => `${countWord(count)} ${count === 1 ? 'needs' : 'need'} your choice`,
    dropped: (count: number) => `${countWord(count)} ${count === 1 ? 'has' : 'have'} nowhere to go`,
    stands: 'All that can be moved stands there already.',
    links: (control: number, evidence: number, task: number) =>
      `With them come ${counted(control, 'link', 'links')} to controls, ${countWord(evidence)} to evidence and ${countWord(task)} to tasks.`,
    left: (count: number) =>
      `${counted(count, 'link', 'links')} to controls ${count === 1 ? 'is' : 'are'} not copied: they meet a part of what is asked there, and count in part through the mapping.`,
    unmapped:
      'No requirement of the two corresponds: map them with each other first, as mapping targets of a requirement.',
  },
  fates: {
    asked: (count: number) => `Needs your choice ${countWord(count)}`,
    carried: (count: number) => `From one ${countWord(count)}`,
    merged: (count: number) => `From several ${countWord(count)}`,
    new: (count: number) => `Nothing comes ${countWord(count)}`,
    show: 'Show by what comes',
  },
  table: {
    title: 'Requirements of the other edition',
    requirement: 'Requirement',
    from: 'Comes from',
    links: 'Links',
    choice: 'Whose answer counts',
    nothing: 'Nothing comes',
    sameText: 'same text',
    linked: (count: number) => (count === 0 ? '' : counted(count, 'link', 'links')),
    more: (count: number) => `Show ${countWord(count)} more`,
  },
  choice: {
    of: (key: string) => `Whose answer counts for ${key}`,
    open: 'Choose…',
    there: (key: string) => `${key}, as it is there`,
    nobody: 'Nobody’s: answer it anew',
    rest: 'Leave the rest to be answered anew',
    disagree: (field: string, says: readonly string[]) => `${field}: ${says.join('; ')}`,
    part: (field: string, says: readonly string[]) =>
      `${field}: ${says.join('; ')}, of something that only overlaps with this`,
    says: (key: string, value: string) => `${key} ${lower(value)}`,
    unsaid: { applicability: 'Applicable', result: 'Follows its controls' } as Readonly<
      Record<string, string>
    >,
    nothing: 'Says nothing',
    person: 'Somebody',
  },
  dropped: {
    title: 'Nowhere to go',
    text: 'Nothing in the other edition corresponds to these. Their answers stay here.',
  },
  start: (count: number) => `Move ${answers(count)}`,
  open: (count: number) => `${requirements(count)} still ${count === 1 ? 'needs' : 'need'} a choice.`,
  moving: 'Answers are being moved.',
  undoing: 'The move is being undone.',
  failed: (why: string | null) => `Nothing was moved. ${why ?? ''}`.trim(),
  earlier: {
    title: 'Moves so far',
    from: (name: string) => `From ${name}`,
    into: (name: string) => `To ${name}`,
    gone: 'A framework that was deleted',
    columns: { what: 'Move', when: 'Moved', by: 'By', came: 'What came', acts: 'What to do' },
    came: (changed: number, linked: number) =>
      `${requirements(changed)} changed, ${counted(linked, 'link', 'links')}`,
    undone: 'Undone',
    stopped: 'Came to nothing',
    underWay: 'Under way',
  },
  undo: {
    button: 'Undo',
    title: (name: string) => `Undo the move to ${name}`,
    text: (count: number) =>
      `${requirements(count)} there get back the answers and links from before the move. Nothing changes in the edition they came from.`,
    verb: 'Undo the move',
    keep: 'Keep what somebody has changed since, and undo the rest',
  },
}
