import type { RiskMatrix } from '../../model/risk-matrix.ts'
import { counted, countWord } from './counts.ts'

/** Settings, risk matrix: what it says, and what a change of it would move. */
export const matrixEditor = {
  title: 'Levels of risk',
  text: 'The level that follows from a likelihood and an impact, what each is called, and how far you are willing to go. It holds for every risk and treatment of the organization.',
  cells: {
    title: 'Levels by likelihood and impact',
    text: 'A level never falls as the likelihood or the impact rises.',
    table: 'Level of each likelihood and impact',
    scores: 'Change the scores as well',
    level: (likelihood: string, impact: string) => `Level of ${likelihood} × ${impact}`,
    score: (likelihood: string, impact: string) => `Score of ${likelihood} × ${impact}`,
    corner: 'Impact ↓ likelihood →',
  },
  steps: {
    likelihoods: 'Likelihood',
    impacts: 'Impact',
    text: 'What each step is called wherever it is chosen or shown, and what it stands for in your organization.',
    key: 'In the API',
    label: 'Label',
    description: 'Description',
    labelOf: (step: string) => `Label of ${step}`,
    descriptionOf: (step: string) => `Description of ${step}`,
  },
  levels: {
    title: 'Levels',
    text: 'A level is never told by its colour alone.',
    colour: 'Colour',
    colourOf: (level: string) => `Colour of ${level}`,
    looks: 'Looks like',
  },
  colours: {
    grey: 'Grey',
    blue: 'Blue',
    teal: 'Teal',
    green: 'Green',
    yellow: 'Yellow',
    orange: 'Orange',
    red: 'Red',
    purple: 'Purple',
  },
  appetite: {
    title: 'Appetite',
    text: 'The highest level that is still acceptable for a category. A risk above it is marked, and found by the filter “Above appetite”.',
    none: 'Not said',
    upTo: (level: string) => `Up to ${level.toLowerCase()}`,
    of: (category: string) => `Appetite for ${category.toLowerCase()} risks`,
  },
  faults: 'This cannot be yet',
  /** Of which cell, step or level, by what it is called. */
  fault: (path: string, message: string, matrix: RiskMatrix): string => {
    const [part, one, other] = path.split('.') as [keyof RiskMatrix, string, string]
    const label = (of: 'likelihoods' | 'impacts' | 'levels', key: string) =>
      (matrix[of] as Readonly<Record<string, { label: string }>>)[key]!.label
    const what =
      part === 'cells'
        ? `${label('likelihoods', one)} × ${label('impacts', other)}`
        : label(part as 'levels', one)
    return `${what} ${message}.`
  },
  /** Beside the button that waits for it. */
  notYet: (fault: string, others: number): string =>
    others > 0 ? `${fault} ${counted(others, 'other fault is', 'other faults are')} above.` : fault,
  changed: (count: number) => `${counted(count, 'change', 'changes')} not applied yet.`,
  unchanged: 'Nothing is changed.',
  discard: 'Discard changes',
  review: 'Review the change',
  dialog: {
    title: 'What the change would move',
    none: 'No record would move to another level.',
    moves: 'Records that would move',
    rating: 'Rating',
    from: 'From',
    to: 'To',
    count: 'How many',
    unrated: 'Not assessed',
    above: (before: number, after: number) =>
      before === after
        ? `${counted(after, 'risk is', 'risks are')} above the appetite, as before.`
        : `${counted(after, 'risk', 'risks')} would be above the appetite; ${countWord(before)} ${before === 1 ? 'is' : 'are'} now.`,
    ending: (count: number) => `${counted(count, 'acceptance', 'acceptances')} would end`,
    endingText:
      'These risks would be rated otherwise than they were accepted. They are assessed again then, and setting the matrix back does not bring the acceptances back: each would be asked for anew.',
    ends: 'The new matrix holds at once for whatever is written. Records that move are brought up to it behind the scenes, each with an entry in its history.',
    reason: 'Reason',
    reasonHint: 'Stands in the history of the matrix and in the audit log',
    apply: 'Apply',
    back: 'Back',
  },
  recalculation: {
    title: 'Records are being brought up to this version',
    stopped: 'The records were not all brought up to this version',
    stoppedText: 'What was not reached keeps its level until it is changed, or until this goes on.',
    jobs: 'All jobs',
    done: (version: number, risks: number) =>
      `All records are brought up to version ${countWord(version)}: ${risks === 0 ? 'no risk' : counted(risks, 'risk', 'risks')} moved to another level.`,
  },
  versions: {
    title: 'Versions',
    version: 'Version',
    at: 'Changed',
    by: 'By',
    reason: 'Reason',
    risksMoved: 'Risks moved to another level',
    acts: 'Actions',
    first: 'As the service comes',
    holds: 'holds now',
    take: 'Edit from this',
    takeOf: (version: number) => `Edit from version ${version}`,
    taken: (version: number) =>
      `What stands above is that of version ${version}. It holds once you apply it.`,
  },
}
