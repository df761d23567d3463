import { countWord } from './counts.ts'

/** What the page says that shows where evidence is missing, waits or runs out. */
export const evidenceHub = {
  title: 'Evidence status',
  text: 'What you are asked for, what waits for a decision, and where proof is missing or about to expire.',
  all: 'All evidence',
  list: 'Open as a list',
  listOf: (title: string) => `Open as a list: ${title}`,
  mine: {
    title: 'Asked of you',
    text: 'What somebody has requested from you, until you send it to review; also what came back.',
    none: 'Nobody is asking you for evidence.',
  },
  review: {
    title: 'For you to review',
    text: 'What was sent to you to approve or reject.',
    none: 'Nothing waits for your review.',
  },
  requested: {
    title: 'Requested',
    text: 'What has been requested or sent back, and not handed in yet.',
    none: 'Nothing is requested.',
  },
  expiring: {
    title: 'Expiring',
    text: 'Approved evidence that expires within 60 days.',
    none: 'No approved evidence expires within 60 days.',
  },
  expired: {
    title: 'Expired',
    text: 'What shows nothing any more, until it is renewed and approved again, or archived.',
    none: 'No evidence has expired.',
  },
  byControl: {
    title: 'By control',
    text: 'An implemented control is proven by approved evidence that covers all of it and has not expired. Of the unproven some have no evidence, and of the proven the proof of some ends soon.',
    noneImplemented: 'No control is implemented yet.',
    groups: {
      without: { title: 'Without evidence', none: 'Every control that applies has evidence.' },
      unproven: { title: 'Unproven', none: 'Every implemented control is proven.' },
      ending: { title: 'Proof ends soon', none: 'No proof ends within 60 days.' },
      proven: { title: 'Proven', none: 'No implemented control is proven yet.' },
    },
  },
  proof: {
    until: 'Proven by its evidence until',
    forGood: 'Proven by its evidence, which does not expire.',
  },
  byAge: {
    title: 'By age',
    text: 'Approved evidence, by how long ago its reviewer approved it.',
    ages: {
      quarter: 'Up to 3 months',
      half: '3 to 6 months',
      year: '6 to 12 months',
      older: 'Over a year',
    },
  },
  held: {
    title: 'On legal hold',
    text: 'Files that are kept, even if the evidence is deleted.',
    none: 'No file is on legal hold.',
    loose: 'The evidence was deleted',
    release: (name: string) => `Release ${name} from legal hold`,
    more: (shown: number, all: number) =>
      `The newest ${countWord(shown)} of ${countWord(all)} files are shown.`,
    columns: { file: 'File', evidence: 'Evidence', act: 'Release' },
  },
  nobody: '–',
  columns: {
    record: 'Record',
    from: 'From',
    owner: 'Owner',
    by: 'By',
    expires: 'Expires',
    why: 'Why',
    sent: 'Sent',
    status: 'Status',
    until: 'Proven until',
    forGood: 'For good',
  },
}
