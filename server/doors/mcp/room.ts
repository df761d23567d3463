import { cutTexts } from './texts.ts'

/**
 * The room there is in a conversation: 10,000 tokens an answer, at four characters each. A page that is longer is
 * asked for again with fewer rows, so that its cursor is right; of anything else texts are cut shorter, and at last
 * the longest list. What was left out is said, with the way to it.
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
 */
export function fitted(answer: Answer, from: number, reader: string | null): Answer {
  const short = SHORTER.find((most) => sizeOf(cutTexts(answer, from, reader, most) as Answer) <= ROOM)
  const cut = cutTexts(answer, from, reader, short ?? SHORTER.at(-1)) as Answer
  return short === undefined ? withFewerItems(cut) : cut
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
