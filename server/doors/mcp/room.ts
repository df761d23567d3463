import { beginningOf } from '../../refusal.ts'
import { cutTexts } from './texts.ts'

/**
 * The room there is in a conversation: 10,000 tokens an answer, at four characters each. A page that is longer is
 * asked for again with fewer rows, so that its cursor is right; of anything else texts are cut shorter, and at last
 * the longest list. What was left out is said, with the way to it. Of a batch that is never what it made: whoever is
 * not told of a record makes it once more.
 */
export const ROOM = 40_000
/** What is said beside. */
const OF_NOTE = 500

/** Rows of a page where nothing is said. */
export const ROWS = 20

type Answer = Record<string, unknown>

const sizeOf = (answer: Answer): number => JSON.stringify(answer).length

/** How many rows of a page there is room for; null if for all, or if it is no page. */
export function rowsWithRoom(page: Answer): number | null {
  const { data } = page
  if (!Array.isArray(data) || data.length < 2) return null
  const size = sizeOf(page)
  if (size <= ROOM) return null
  return Math.max(1, Math.min(data.length - 1, Math.floor((data.length * (ROOM - OF_NOTE) * 0.95) / size)))
}

/**
 * @param from where in long texts to begin
 * @param reader the tool that reads on, if any
 * @param isBatch whether each row is a record that was made, or what kept it out
 */
export function fitted(answer: Answer, from: number, reader: string | null, isBatch = false): Answer {
  const short = SHORTER.find((most) => sizeOf(cutTexts(answer, from, reader, most) as Answer) <= ROOM)
  const cut = cutTexts(answer, from, reader, short ?? SHORTER.at(-1)) as Answer
  if (short !== undefined) return cut
  return isBatch ? withShorterProblems(cut as Batch) : withFewerItems(cut)
}

/** The most characters of a text, from what is good to read to what is just enough to know it by. */
const SHORTER = [10_000, 5_000, 2_500, 1_000, 500, 250]

function withFewerItems(answer: Answer): Answer {
  const longest = Object.entries(answer)
    .filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
    .toSorted(([, a], [, b]) => JSON.stringify(b).length - JSON.stringify(a).length)[0]
  if (!longest) return answer
  const [name, items] = longest
  let kept = items.length
  const shown = () => ({
    ...answer,
    [name]: items.slice(0, kept),
    note: `${name} has the first ${kept} of ${items.length}: there is no room for more. Ask for fewer fields, or read it over REST.`,
  })
  while (kept > 1 && sizeOf(shown()) > ROOM) kept = Math.floor(kept / 2)
  return shown()
}

interface Row extends Answer {
  readonly index: number
  readonly problem?: { readonly code: string; readonly status: number; readonly detail: string }
}
type Batch = { readonly data: readonly Row[] }

/** Errors of a problem, down to none: its detail says how many there are. */
const ERRORS = [10, 3, 1, 0]

function withShorterProblems(batch: Batch): Answer {
  for (const most of ERRORS) {
    const data = batch.data.map((row) =>
      row.problem ? { ...row, problem: shorter(row.problem, most) } : row,
    )
    const kept = most === 0 ? 'are without their errors' : `have their first ${most} errors`
    const note = `The problems ${kept}: there is no room for more. Send one of those rows alone for the rest.`
    const shown = { ...batch, data, note }
    if (sizeOf(shown) <= ROOM) return shown
  }
  return withFewerProblems(batch)
}

function withFewerProblems(batch: Batch): Answer {
  const refused = batch.data.filter(({ problem }) => problem)
  const shown = (kept: number) => {
    const left = new Set(refused.slice(kept))
    const data = batch.data
      .filter((row) => !left.has(row))
      .map((row) => (row.problem ? { ...row, problem: shorter(row.problem, 0) } : row))
    const note = `Refused as well: the rows ${[...left].map(({ index }) => index).join(', ')}. There is no room for their problems: send them again for these.`
    return { ...batch, data, note }
  }
  let kept = refused.length - 1
  while (kept > 0 && sizeOf(shown(kept)) > ROOM) kept = Math.floor(kept / 2)
  return shown(kept)
}

function shorter(problem: NonNullable<Row['problem']>, most: number): Row['problem'] {
  const { code, status, detail } = problem
  const { errors } = problem as { errors?: readonly unknown[] }
  if (most === 0) return { code, status, detail: beginningOf(detail, 200) }
  return errors ? ({ ...problem, errors: errors.slice(0, most) } as Row['problem']) : problem
}

/**
 * The two texts of a refusal: words, and the problem of REST. What refuses keeps both short; here the room is kept
 * even where something did not.
 */
export function fittedRefusal(words: string, problem: Answer): [string, string] {
  const shortWords = beginningOf(words, ROOM / 2)
  const { errors, ...rest } = problem as { errors?: unknown[] }
  const shorter = [
    problem,
    ...ERRORS.map((most) => ({ ...rest, ...(errors ? { errors: errors.slice(0, most) } : {}) })),
    ...SHORTER.map((most) => cutTexts(rest, 0, null, most)),
  ]
  for (const one of shorter) {
    const text = JSON.stringify(one)
    if (text.length <= ROOM - shortWords.length) return [shortWords, text]
  }
  return [shortWords, bare(problem)]
}

/** What programs decide by. */
const bare = ({ code, status, requestId }: Answer): string => JSON.stringify({ code, status, requestId })
