import type { Noun } from '../../model/kind.ts'
import { withArticle } from '../../model/roles.ts'
import { counted, countedRecords, countWord } from './counts.ts'

/** Files of records that are brought in, and one change for many records. */
export const importing = {
  title: (many: string) => `Import ${many}`,
  text: 'Nothing is written before you have seen what each row would change.',
  back: (many: string) => `All ${many}`,
  catalog: 'Import an OSCAL catalog or another file of a whole framework',
  file: {
    title: 'Choose a file',
    text: 'A workbook (.xlsx), CSV or JSON, up to 10 MB. A row at the top names the columns; what stands above it is left out. Several values in one cell are separated by a vertical bar, such as one|two. Dates may be written as 2026-05-17 or 17.05.2026.',
    choose: 'Choose a file…',
    drop: 'or drop it here',
    reading: (name: string) => `Reading ${name}`,
    template: 'Download a workbook to fill in',
    another: 'Another file',
  },
  columns: {
    title: 'Check the columns',
    text: (count: number, name: string) =>
      `${counted(count, 'row', 'rows')} in ${name}. What you choose is remembered for the next file.`,
    sheet: 'Sheet',
    head: 'Header row',
    headOf: (row: number, text: string) =>
      `${countWord(row)}: ${text.length > 60 ? `${text.slice(0, 60)} …` : text}`,
    above: (row: number, lines: readonly string[]) =>
      `Row ${countWord(row)} is the header. Not imported above it: ${lines.map((line) => `“${line}”`).join(', ')}.`,
    label: 'Columns of the file',
    inFile: 'In the file',
    samples: 'For example',
    meaning: 'Import as',
    meaningOf: (title: string) => `Import ${title} as`,
    unnamed: (place: number) => `Column ${place}`,
    leftOut: 'Leave out',
    finds: 'only finds the record',
    checks: 'only checks that nothing has changed since',
    judged: 'only checked: the service sets it',
    set: (titles: readonly string[]) =>
      `Not imported because Plumbline sets these fields itself: ${titles.join(', ')}.`,
    linkedFrom: (title: string, { one, many, column }: { one: string; many: string; column: string }) =>
      `Left out: ${title}. They are linked from the ${one}’s side: import ${many} with a column ${column}.`,
    translates: (pairs: readonly (readonly [word: string, choice: string])[]) =>
      `Matched: ${pairs.map(([word, choice]) => `${word} → ${choice}`).join(', ')} (remembered)`,
    example: (row: number) => `The example in row ${countWord(row)} is left out.`,
    custom: (title: string) => `Custom field “${title}”`,
    made: (field: string, titles: readonly string[]) =>
      titles.length > 1
        ? `${field} is made of ${titles.join(', ')}.`
        : `${field} is made from ${titles.join(', ')}.`,
    missing: (titles: readonly string[]) =>
      `New rows need ${titles.join(', ')}: choose a column for ${titles.length > 1 ? 'each' : 'it'}. Without ${titles.length > 1 ? 'them' : 'it'}, only existing records can be updated.`,
    identity: 'Which record a row is about',
    known: 'By reference, external id or id; rows without any are added',
    none: 'None: every row is added',
    byKey: (title: string) => `By ${title}`,
    dates: 'Dates such as 03/04/2027',
    datesFrom: {
      file: 'Taken from other dates in this file.',
      earlier: 'Taken from your choice for an earlier file.',
    },
    datesHint: 'With points, as in 03.04.2027, the day comes first.',
    currency: 'Currency of amounts without one',
    currencyHint: 'A currency in the cell or in its currency column takes precedence.',
    datesOpen: 'Leave as an error: they could be either',
    dayFirst: 'Day first, as in 31/12/2027',
    monthFirst: 'Month first, as in 12/31/2027',
    empty: 'Empty cells clear the field',
    plan: 'See what would change',
  },
  plan: {
    title: 'Check the changes',
    running: 'Working out what each row would change',
    counts: {
      create: (count: number) => `${countWord(count)} to add`,
      change: (count: number) => `${countWord(count)} to change`,
      delete: (count: number) => `${countWord(count)} to delete`,
      leave: (count: number) => `${countWord(count)} unchanged`,
      error: (count: number) => counted(count, 'row with errors', 'rows with errors'),
    },
    leftOut: (count: number) => `${countWord(count)} left out`,
    nothing: 'Nothing would change.',
    isTotal: 'Adds up the rows above it',
    errors: 'Rows with errors',
    refused: 'Not imported',
    create: 'Records to add',
    change: 'Records to change',
    fields: 'What would be written',
    row: 'Row',
    acts: 'Actions',
    leftOutRows: 'Rows left out',
    restore: 'Include',
    restoreRow: (number: number) => `Include: row ${countWord(number)}`,
    leaveOut: 'Leave out',
    leaveOutRow: (number: number) => `Leave out: row ${countWord(number)}`,
    rowOf: (number: number) => `Row ${countWord(number)}`,
    record: 'Record',
    column: 'Column',
    values: 'Value in file',
    given: 'New value',
    whole: (ofFile: boolean) => (ofFile ? 'The whole row' : 'The record'),
    wrong: 'What is wrong',
    why: 'Why',
    such: (message: string) => `For example: ${message}`,
    takeOut: 'Download these rows to correct them',
    rows: 'Rows',
    records: 'Records',
    some: (names: readonly string[], count: number) => {
      const shown = names.slice(0, 8)
      const rest = count - shown.length
      return `${shown.join(', ')}${rest > 0 ? ` and ${countWord(rest)} more` : ''}`
    },
    times: (count: number) => `× ${countWord(count)}`,
    more: (count: number) => `And ${countWord(count)} more.`,
    columns: 'Change the columns',
    all: (count: number) => `Import all ${countWord(count)}`,
    good: (count: number) => `Import ${counted(count, 'good row', 'good rows')}`,
    allOrNothing: 'All or nothing: should one row be refused, none is written.',
    again: {
      title: 'Import this file again?',
      verb: 'Import again',
    },
  },
  /** What an import does with a file besides its rows, by code. */
  notes: {
    columns_left_out: (titles: readonly string[]) => `Columns not imported: ${titles.join(', ')}.`,
    set_by_service: (titles: readonly string[]) =>
      `Columns not imported because Plumbline sets these fields itself: ${titles.join(', ')}.`,
    sheets_left_out: (titles: readonly string[]) => `Sheets not imported: ${titles.join(', ')}.`,
    lines_above_head: (titles: readonly string[]) =>
      `Rows above the header are not imported: ${titles.map((title) => `“${title}”`).join(', ')}.`,
    example_left_out: ([row]: readonly string[]) => `The example in row ${row} is not imported.`,
    name_composed: (titles: readonly string[], field: string) => `${field} is made of ${titles.join(', ')}.`,
    title_from_text: (titles: readonly string[], field: string) =>
      `${field} of new records is the first sentence of ${titles.join(' or ')}.`,
    field_implied: ([title]: readonly string[], field: string) =>
      `${field} of new records follows from ${title}.`,
    left_as_other: (_: readonly string[], field: string) =>
      `${field} of new records is “Other”: the file has no column for it.`,
    scale_read: ([title, first, last]: readonly string[]) =>
      `${title}: numbers are read as steps of the scale, from ${first} to ${last}.`,
  },
  namesakes: {
    title: (count: number, noun: Noun) =>
      count === 1
        ? `1 row has the name of ${withArticle(noun)} that you have`
        : `${countWord(count)} rows have the names of ${noun.many} that you have`,
    titleOfUnique: (count: number, title: string, noun: Noun) =>
      count === 1
        ? `1 row has the ${title.toLowerCase()} of ${withArticle(noun)} that you have`
        : `${countWord(count)} rows have the ${title.toLowerCase()} of ${noun.many} that you have`,
    textOfUnique: (title: string) =>
      `They give no reference, external id or id, and no two can have the same ${title.toLowerCase()}, so none of them can be added. Match them by it, and they change those records instead; you see what before anything is written.`,
    text: 'They give no reference, external id or id, so each would be added once more. Match them by name, and they change those records instead; you see what before anything is written.',
    match: (title: string) => `Match by ${title.toLowerCase()}`,
  },
  unknown: {
    title: 'Values to match',
    text: 'These values match no option of their field. Choose an option for each, then update the preview. Suggestions are already selected. Your answers are remembered for the next file.',
    empty: (title: string) => `Leave “${title}” empty where a value matches nothing`,
    emptied: (title: string, values: readonly string[], more: number) =>
      `${title}: left empty instead of ${values.join(', ')}${more > 0 ? ` and ${countWord(more)} more` : ''}.`,
    names: 'Names to match',
    namesText:
      'These names match no person, or several. Choose who each is, then update the preview. Your answers apply to the whole file and are remembered for the next.',
    and: ', ',
    word: 'In the file',
    times: (count: string) => `× ${count}`,
    meaning: 'Import as',
    meaningOf: (word: string) => `Import “${word}” as`,
    none: 'Leave as an error',
    translated: 'Matched values',
    translatedText:
      'These values are imported as you matched them, in this file or an earlier one. Change or remove a match, then update the preview.',
    forget: 'Remove the match',
    elsewhere: 'not in this file',
    showElsewhere: (count: number) => `Show ${counted(count, 'match', 'matches')} not in this file`,
    hideElsewhere: 'Hide matches not in this file',
    plan: 'Update preview',
  },
  done: {
    running: 'Importing',
    title: 'Imported',
    stopped: (done: number, left: number) =>
      done === 0
        ? 'Stopped: nothing was written'
        : `Stopped after ${countWord(done)} of ${counted(done + left, 'row', 'rows')}`,
    stoppedPlan: 'Stopped before all rows were worked out: nothing was written',
    rest: 'What was written stays. Resume goes on with the other rows as they were planned; or plan them again, by other columns.',
    counts: {
      created: (count: number) => `${countWord(count)} added`,
      changed: (count: number) => `${countWord(count)} changed`,
      deleted: (count: number) => `${countWord(count)} deleted`,
      unchanged: (count: number) => `${countWord(count)} unchanged`,
      refused: (count: number) => `${countWord(count)} not written`,
    },
    leave: 'You can leave this page: it goes on, and is listed under “Jobs and imports”.',
    again: 'Retry the remaining rows',
    undo: 'Undo the import',
    undoRest: 'Undo what is left of it',
    undoStates: {
      running: (_: number) => 'It is being undone. “Jobs and imports” shows how far that is.',
      stopped: (left: number) =>
        `Its undo was stopped: ${counted(left, 'row', 'rows')} of it ${left === 1 ? 'is' : 'are'} not taken back.`,
      done: (left: number) =>
        left === 0
          ? 'All of it was undone.'
          : `It was undone, but for ${counted(left, 'row', 'rows')} whose ${left === 1 ? 'record' : 'records'} somebody had touched by then.`,
    },
    before: (counts: readonly string[]) => `Written before, from this file: ${counts.join(', ')}.`,
    show: (many: string) => `Show ${many}`,
  },
}

export const bulkEdit = {
  title: (count: number, noun: Noun) => `Change ${countedRecords(count, noun)}`,
  undoTitle: (count: number, noun: Noun) => `Undo the change of ${countedRecords(count, noun)}`,
  undoImport: (name: string) => `Undo the import of ${name}`,
  undoText:
    'Records that it added are deleted, and the others are given back what they had. What anybody has changed, linked or commented on since is left as it is.',
  left: 'Not changed',
  refused: (count: number) => `${countWord(count)} cannot be changed`,
  staying: (count: number) => `${countWord(count)} not changed`,
  undo: (count: number) => `Undo ${countWord(count)}`,
  running: 'Working out what would change',
  apply: (count: number) => `Change ${countWord(count)}`,
  cancel: 'Cancel',
  close: 'Close',
  carrying: 'Changing',
  leave: 'You can close this: it goes on, and is listed under “Jobs and imports”.',
  stopped: (done: number, left: number) =>
    done === 0
      ? 'Stopped: nothing was changed'
      : `Stopped after ${countWord(done)} of ${counted(done + left, 'record', 'records')}`,
  rest: 'What was changed stays. Resume goes on with the others; closed, this offers to undo what was changed.',
  stoppedPlan: 'Stopped before all of them were worked out: nothing was changed',
}
