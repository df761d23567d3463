import { counted, countWord } from './counts.ts'
import { lower } from './records.ts'
import { percentWord } from './shares.ts'

const requirements = (count: number) => counted(count, 'requirement', 'requirements')

/** What the pages of frameworks and of what they ask say. */
export const frameworks = {
  level: (title: string, count: number | undefined) =>
    count === undefined ? title : `${title} (${requirements(count)})`,
  activation: (hasLevels: boolean) =>
    `From then on the organization follows it: its requirements wait for answers, and what is met here counts through mappings elsewhere.${hasLevels ? ' The level chooses which of them are in scope.' : ''}`,
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
    edition: (name: string, edition: string) => (name.includes(edition) ? name : `${name} ${edition}`),
    with: 'With',
    views: 'What is shown of both',
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
  mappings: {
    title: 'Mappings',
    tabs: { covers: 'What they cover', mappings: 'Mappings' },
    search: 'Search mappings',
    unmappedOnly: 'Unmapped only',
    mapped: (count: number, all: number) => `${countWord(count)} of ${requirements(all)} mapped`,
    nothing: 'No requirement matches.',
    unmapped: 'Not mapped',
    columns: { requirement: 'Requirement', relationship: 'Relationship', origin: 'Origin', acts: 'Change' },
    origins: {
      official: 'Official',
      community: 'By others',
      own: 'Your own',
      suggested: 'Suggested',
    } as Readonly<Record<string, string>>,
    reviewed: (name: string) => `Reviewed by ${name}`,
    map: 'Map',
    mapOne: (key: string) => `Map ${key}`,
    pick: 'Search requirements',
    changeOne: (key: string, other: string) => `Change the mapping of ${key} with ${other}`,
    removeOne: (key: string, other: string) => `Remove the mapping of ${key} with ${other}`,
    removed: (key: string, other: string) => `The mapping of ${key} with ${other} was removed.`,
    dialog: {
      add: 'Map a requirement',
      change: 'Change a mapping',
      text: (
        one: Readonly<Record<'key' | 'title', string>>,
        other: Readonly<Record<'key' | 'title', string>>,
      ) => `How ${one.key} ${one.title} stands to ${other.key} ${other.title}.`,
      submit: 'Save mapping',
      becomesOwn: 'Saved, it is your own, and no longer the word of those who made it.',
    },
  },
  overview: {
    title: 'Coverage of frameworks',
    text: 'Of the active ones, and what has changed within a month.',
    none: 'No framework is active yet.',
    choose: 'Choose from the library',
    same: 'No change',
    moved: (points: number) => `${points > 0 ? '+' : '−'}${counted(Math.abs(points), 'point', 'points')}`,
    since: (day: string) => `Since ${day}`,
  },
  gaps: {
    title: 'Plan what is missing',
    text: 'Each requirement in scope that is not met gets a task to look at, unless it has one.',
    plan: 'Plan',
    planText: 'Which the tasks are part of',
    noPlan: 'None',
    controls: 'Add controls as well',
    controlsText: 'One that is not started, for each requirement that has none',
    nothing: 'Nothing is missing that has no task yet.',
    list: 'What is made',
    task: 'Task',
    control: 'Control',
    left: (count: number) =>
      `${requirements(count)} more ${count === 1 ? 'waits' : 'wait'} for the next time.`,
    made: (tasks: string, controls: number) =>
      controls === 0 ? tasks : `${tasks} and ${counted(controls, 'control', 'controls')}`,
    tasks: (count: number) => counted(count, 'task', 'tasks'),
    submit: (what: string) => `Make ${what}`,
    done: (what: string) => `${what} made.`,
    open: 'Open the tasks',
    close: 'Close',
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
    now: 'Current state',
    onDay: 'State on a day',
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
      controls: 'Controls',
      scope: 'Scope',
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
    unreasoned: (count: number) => `${countWord(count)} applicable without a justification for inclusion.`,
    unreasonedLink: 'Add justifications',
    columns: {
      key: 'Key',
      title: 'Requirement',
      applicable: 'Applicable',
      reasons: 'Justification for inclusion or exclusion',
      implemented: 'Implemented',
      controls: 'Implemented by',
      evidence: 'Evidence',
      owner: 'Responsible',
    },
    control: 'Control',
    implemented: { yes: 'Yes', partly: 'Partly', no: 'No' },
    clauses:
      'Lists the controls of the annex. Clauses 4 to 10 always apply, so a statement of applicability leaves them out.',
    applies: { applicable: 'Yes', not_applicable: 'No', inherited: 'Inherited' } as Readonly<
      Record<string, string>
    >,
    through: (framework: string, key: string, isPart: boolean) =>
      `through ${framework} ${key}${isPart ? ', a part of it' : ''}`,
    givenThere: 'Its result is given there',
    none: 'No requirement is in scope.',
    noReason: 'No justification',
    versions: 'Approved versions',
    approve: 'Approve the statement of applicability',
  },
  library: {
    title: 'Framework library',
    text: 'Identifiers and titles of the requirements. To add the full text, import a file if you hold a copy.',
    register: 'All frameworks',
    columns: { name: 'Framework', asks: 'Requirements', status: 'Status', acts: 'What to do' },
    way: 'From the library or a file',
    notHere: 'Not added',
    bringIn: 'Add',
    bringInOne: (name: string) => `Add ${name}`,
    failed: 'Not added',
  },
  importing: {
    choose: 'Import a file',
    title: 'Import a framework',
    name: (name: string, edition: string) => `“${name}”, ${edition}`,
    outcomes: {
      new: (name: string, count: number) => `${name}, is added with ${requirements(count)} to answer.`,
      unchanged: (name: string) => `${name}, is already here, and the file changes nothing.`,
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
        `${name}, is already here. The file differs: ${countWord(added)} added, ${countWord(removed)} missing, ${countWord(changed)} changed, ${countWord(moved)} moved. A correction takes the texts of the file. It keeps all answers and the requirements that the file lacks.`,
      refused: () => 'The file has errors. Nothing was imported.',
    },
    table: {
      title: 'Framework in the table',
      text: (name: string) =>
        `Each row of ${name} is a requirement. A column “key” is needed; title, text, guidance, kind, parent, depth and levels are taken too.`,
      key: 'Key',
      keyText: 'Identifies the framework in the API, such as house-rules',
      edition: 'Edition',
      name: 'Name',
      hierarchy: 'Hierarchy',
      hierarchies: {
        '': 'Detect from the columns',
        parent: 'From a column with the key of the parent',
        depth: 'From a column with the depth',
        dotted: 'From the keys, such as 1.2 below 1',
      },
      submit: 'Read the table',
    },
    columns: {
      title: 'Columns',
      headRow: 'Header row',
      row: (row: number, text: string) => `Row ${countWord(row)}: ${text}`,
      column: 'In the file',
      field: 'Import as',
      fieldOf: (title: string) => `Import “${title}” as`,
      unnamed: (number: number) => `Column ${countWord(number)}`,
      leftOut: 'Not imported',
      fields: {
        key: 'Key',
        title: 'Title',
        text: 'Text',
        guidance: 'Guidance',
        parent: 'Key of the parent',
        depth: 'Depth',
        kind: 'Kind',
        assessable: 'Assessable',
        levels: 'Levels',
        importance: 'Importance',
        weight: 'Weight',
        typicalEvidence: 'Typical evidence',
        annotation: 'Annotation',
      },
      readAgain: 'Read the table again',
    },
    parts: {
      new: 'The file has no framework. This is what it adds:',
      unchanged: 'Everything in the file is here already.',
      mappings: ({
        name,
        source,
        target,
        added,
        standing,
        missing,
      }: {
        name: string
        source: { key: string; name: string | null }
        target: { key: string; name: string | null }
        added: number
        standing: number
        missing: number
      }) =>
        `${name}: ${counted(added, 'mapping', 'mappings')} from ${source.name ?? source.key} to ${target.name ?? target.key}.${standing > 0 ? ` ${countWord(standing)} mapped already.` : ''}${missing > 0 ? ` ${countWord(missing)} left out, because a requirement is not here.` : ''}`,
      riskMatrix: (name: string, changes: number) =>
        changes === 0
          ? `${name}: the risk matrix is the same already.`
          : `${name} replaces the risk matrix of the organization. ${counted(changes, 'value changes', 'values change')}, and all risks are rated again.`,
      apply: 'Import',
      done: (mappings: number, version: number | null) =>
        [
          ...(mappings > 0 ? [`${counted(mappings, 'mapping was', 'mappings were')} added.`] : []),
          ...(version === null ? [] : [`The risk matrix has version ${countWord(version)} now.`]),
        ].join(' ') || 'Everything is here already. Nothing was changed.',
    },
    notes: 'Notes on the import',
    differences: {
      added: 'Added',
      removed: 'Missing from the file',
      changed: 'Changed',
      moved: 'Moved',
      framework: 'Framework fields',
    },
    keys: (keys: readonly string[], all: number) =>
      `${keys.join(', ')}${all > keys.length ? ` and ${countWord(all - keys.length)} more` : ''}`,
    done: {
      created: (name: string, count: number) => `${name}, was added with ${requirements(count)}.`,
      corrected: (name: string) => `${name}, was corrected to match the file.`,
      unchanged: (name: string) => `${name}, already matches the file. Nothing was changed.`,
    },
    open: 'Open the framework',
    faults: 'Errors',
    fault: (place: string, message: string) => (place === '' ? message : `${place}: ${message}`),
    moreFaults: (count: number) => `And ${countWord(count)} more.`,
    apply: { new: 'Add framework', different: 'Apply as a correction' },
    close: 'Close',
  },
}
