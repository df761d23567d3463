import { counted, countWord } from './counts.ts'
import { lower } from './records.ts'
import { percentWord } from './shares.ts'

const requirements = (count: number) => counted(count, 'requirement', 'requirements')

/** What the pages of frameworks and of what they ask say. */
export const frameworks = {
  level: (title: string, count: number | undefined) =>
    count === undefined ? title : `${title} (${requirements(count)})`,
  progress: {
    title: 'Progress',
    percent: (percent: number | null) => (percent === null ? 'Nothing in scope' : percentWord(percent)),
    compliant: 'compliant',
    scope: (count: number) => `${requirements(count)} in scope`,
    inactive:
      'Not active: its results are not counted anywhere, and nothing met here counts for other frameworks.',
  },
  pages: {
    label: 'More of this framework',
    statement: 'Statement of applicability',
    comparison: 'Compare with another framework',
    migration: 'Move to another edition',
    oscal: {
      label: 'Export as OSCAL',
      components: 'Component definition',
      results: 'Assessment results',
    },
  },
  overTime: {
    title: 'Coverage over time',
    text: (from: string, percent: string) => `${percent} compliant on ${from}, the first day shown.`,
    table: 'The figures as a table',
    day: 'Day',
    percent: 'In percent',
  },
  comparison: {
    title: 'Compare frameworks',
    text: (name: string) => `What another framework covers of ${name} through mappings, and the other way.`,
    with: 'With',
    choose: 'Choose a framework',
    none: 'There is no other framework here to compare with.',
    covers: (one: string, other: string) => `What ${one} covers of ${other}`,
    coverage: { whole: 'Covered', part: 'In part', none: 'Not covered' } as Readonly<Record<string, string>>,
    left: (count: number, all: number) =>
      count === 0
        ? `All of ${requirements(all)} are covered`
        : `${countWord(count)} of ${requirements(all)} left to do`,
    leftOnly: 'What is left to do only',
    nothingLeft: 'Nothing is left to do here.',
    empty: 'Nothing of it is in scope.',
    through: 'Through',
  },
  tree: {
    title: 'Requirements',
    search: 'Search this framework',
    filterBy: (title: string, count: number) => `${title} ${countWord(count)}`,
    results: 'Show by result',
    inScope: 'In scope only',
    openAll: 'Open all',
    foldAll: 'Fold all',
    shown: (shown: number, all: number) => `${countWord(shown)} of ${requirements(all)} shown`,
    reading: (count: number) => `${requirements(count)} read so far`,
    nothing: 'No requirement matches.',
    none: 'This framework has no requirements yet.',
    pinned: (reason: string | null) => (reason ? `Pinned: ${reason}` : 'Pinned'),
    outOfScope: 'Out of scope',
    asList: 'Open as a list',
  },
  coverage: {
    title: 'Result',
    heading: 'A heading: it is met as far as what is below it.',
    below: 'What is below it',
    pinned: (reason: string | null) => `Pinned${reason ? `: ${reason}` : ''}`,
    follows: (result: string) => `What follows from its controls: ${lower(result)}.`,
    notApplicable: (justification: string) => `It does not apply: ${justification}`,
    nothing: 'No control stands for it, neither linked here nor through a mapping.',
    part: 'Controls cover only a part of it, through mappings.',
    stand: ({ all, inPlace, unproven }: { all: number; inPlace: number; unproven: number }) => {
      if (all === 1)
        return `Its control is ${inPlace === 0 ? 'not in place' : unproven > 0 ? 'in place, without proof' : 'in place and proven'}.`
      const stated = `${countWord(inPlace)} of ${countWord(all)} controls ${inPlace === 1 ? 'is' : 'are'} in place`
      if (unproven > 0) return `${stated}, ${countWord(unproven)} of them without proof.`
      return inPlace === all ? `${stated} and proven.` : `${stated}.`
    },
    notApplicableAll: 'None of its controls applies.',
    exclude: 'Does not apply',
    excluding: {
      title: 'Say that it does not apply',
      text: 'It leaves the scope, and the statement of applicability tells why.',
      submit: 'Exclude it',
    },
    give: 'Give a result',
    change: 'Change the result',
    follow: 'Let it follow its controls',
    dialog: {
      title: 'Give a result',
      text: 'It stays, whatever its controls say, until you let it follow them again. Where the requirement does not concern you, set its applicability instead.',
      submit: 'Pin the result',
    },
    missing: 'Next steps',
    chain: 'What it follows from',
    grades: {
      missing: 'Not begun',
      begun: 'Begun',
      unproven: 'Unproven',
      proven: 'Proven',
      not_applicable: 'Does not apply',
    } as Readonly<Record<string, string>>,
    weakest: 'Weakest link',
    noEvidence: 'No evidence',
    hiddenEvidence: 'Your role does not show evidence',
    partial: 'covers a part',
    age: (days: number) => (days === 0 ? 'from today' : `${counted(days, 'day', 'days')} old`),
    expires: 'expires',
    expired: 'expired',
    through: 'Through',
    relationship: (word: string, isPart: boolean) => (isPart ? `${word}, covers a part` : word),
    pinnedThere: 'Its result is pinned there',
  },
  statement: {
    title: 'Statement of applicability',
    edition: (name: string, edition: string) => `${name}, ${edition}`,
    which: 'Show',
    now: 'As it is now',
    onDay: 'As it was on a day',
    day: 'Day',
    version: (version: number) => `Version ${version}`,
    download: 'Download',
    formats: { pdf: 'PDF', xlsx: 'Excel workbook', csv: 'CSV' },
    print: 'Print',
    facts: {
      organization: 'Organization',
      framework: 'Framework',
      edition: 'Edition',
      level: 'Level',
      requirements: 'Requirements',
      version: 'Version',
      approvedBy: 'Approved by',
      approvedAt: 'Approved',
      sha256: 'SHA-256 of what was approved',
      note: 'Note',
      asOf: 'As it was at the end of',
    },
    draft: 'Draft: not approved',
    counts: (all: number, out: number) =>
      `${countWord(all)} in scope: ${countWord(all - out)} apply, ${countWord(out)} excluded`,
    columns: {
      key: 'Key',
      title: 'Requirement',
      applicable: 'Applicable',
      reasons: 'Reasons for inclusion, or for exclusion',
      status: 'Status',
      controls: 'Controls',
      owner: 'Owner',
    },
    applies: { applicable: 'Yes', not_applicable: 'No', inherited: 'Inherited' } as Readonly<
      Record<string, string>
    >,
    given: 'given',
    none: 'No requirement is in scope.',
    noReason: 'No reason is given',
    versions: 'Approved versions',
    approve: 'Approve the statement of applicability',
  },
  library: {
    title: 'Framework library',
    text: 'Identifiers with short titles in our own words, to start from. The official texts are their publishers’: import a file that you have of them.',
    register: 'All frameworks',
    columns: { name: 'Framework', asks: 'Requirements', status: 'Status', acts: 'What to do' },
    bringIn: 'Bring in',
    bringInOne: (name: string) => `Bring in ${name}`,
    failed: 'It was not brought in',
  },
  importing: {
    choose: 'Import a file',
    title: 'Import a framework',
    name: (name: string, edition: string) => `“${name}”, ${edition}`,
    outcomes: {
      new: (name: string, count: number) => `${name}, is added with ${requirements(count)} to answer.`,
      unchanged: (name: string) => `${name}, is here already and says the same.`,
      different: (
        name: string,
        _count: number,
        {
          added,
          removed,
          changed,
          moved,
        }: Readonly<Record<'added' | 'removed' | 'changed' | 'moved', number>>,
      ) =>
        `${name}, is here already and says something else: ${countWord(added)} added, ${countWord(removed)} gone, ${countWord(changed)} changed, ${countWord(moved)} moved. As a correction its texts become those of the file; every answer stays, and so does what is gone.`,
      refused: () => 'The file has faults, and nothing was written.',
    },
    table: {
      title: 'Which framework the table is of',
      text: (name: string) =>
        `Each row of ${name} is a requirement. A column “key” is needed; title, text, guidance, kind, parent, depth and levels are taken too.`,
      key: 'Key',
      keyText: 'What programs call it by, such as house-rules',
      edition: 'Edition',
      name: 'Name',
      hierarchy: 'What stands beneath what',
      hierarchies: {
        '': 'As the columns tell',
        parent: 'A column with the key of the parent',
        depth: 'A column with the depth',
        dotted: 'Keys begin with those of their parents',
      },
      submit: 'Read the table',
    },
    faults: 'Faults',
    fault: (place: string, message: string) => (place === '' ? message : `${place}: ${message}`),
    moreFaults: (count: number) => `And ${countWord(count)} more.`,
    apply: { new: 'Add framework', different: 'Take it as a correction' },
    close: 'Close',
  },
}
