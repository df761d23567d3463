import { invalid } from '../../refusal.ts'

/**
 * Long texts, cut. What a model reads stays in its memory, and one body of a delivery could fill it: so a text
 * longer than the limit is shown in part, and its end says how long it is and which call reads on. `textFrom` moves
 * the window over every text that was too long; a text that fits is always whole. The form of an answer stays as it
 * is: a text is a text.
 *
 * What was cut must never be written back as if it were whole: a text that ends in our mark is refused.
 */
const AT_MOST = 10_000
/** A list, and a list within a record, has many. */
const AT_MOST_IN_LIST = 1_000

/** The further input of a tool that reads on. */
export const TEXT_FROM = {
  textFrom: { type: 'integer', description: 'Where to read on in texts that were cut' },
} as const

const MARK = /… \[cut: characters \d+ to \d+ of \d+[^\]]*\]$/

/**
 * @param from the first character of what is shown of texts that are too long
 * @param reader the tool that reads on, if any
 * @param atMost characters of a text
 */
export function cutTexts(value: unknown, from: number, reader: string | null, atMost = AT_MOST): unknown {
  if (!hasLongText(value, atMost)) return value // as nearly always: nothing is copied
  const cut = (text: string, limit: number): string => {
    if (text.length <= limit) return text
    const start = Math.min(from, text.length)
    const end = whole(text, Math.min(start + limit, text.length))
    const further = end < text.length && reader ? `; ${reader} with textFrom ${end} reads on` : ''
    return `${text.slice(start, end).toWellFormed()}… [cut: characters ${start} to ${end} of ${text.length}${further}]`
  }
  const walk = (part: unknown, limit: number): unknown => {
    if (typeof part === 'string') return part.length > limit ? cut(part, limit) : part
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map((item) => walk(item, Math.min(limit, AT_MOST_IN_LIST)))
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, walk(inner, limit)]))
  }
  return walk(value, atMost)
}

function hasLongText(part: unknown, limit: number): boolean {
  if (typeof part === 'string') return part.length > limit
  if (typeof part !== 'object' || part === null) return false
  if (Array.isArray(part)) return part.some((item) => hasLongText(item, Math.min(limit, AT_MOST_IN_LIST)))
  for (const name in part) if (hasLongText((part as Record<string, unknown>)[name], limit)) return true
  return false
}

/** Not between the halves of a surrogate pair. */
const whole = (text: string, end: number): number =>
  /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end

/**
 * Takes `textFrom` out of an input.
 * @throws {Refusal} `validation_failed` where it is no place in a text
 */
export function takeTextFrom({ textFrom = 0, ...rest }: Record<string, unknown>) {
  if (!Number.isSafeInteger(textFrom) || (textFrom as number) < 0)
    throw invalid({ path: 'textFrom', message: 'give the number that the end of a cut text names' })
  return { from: textFrom as number, rest }
}

/** @throws {Refusal} `validation_failed` for a text that was cut when it was read */
export function refuseCutTexts(input: unknown): void {
  const waiting: { part: unknown; path: string }[] = [{ part: input, path: '' }]
  for (let one = waiting.pop(); one; one = waiting.pop()) {
    const { part, path } = one
    if (typeof part === 'string' && part.endsWith(']') && MARK.test(part.slice(-200)))
      throw invalid({
        path,
        message: 'this text was cut when it was read: read the rest first, or leave it out',
      })
    if (typeof part !== 'object' || part === null) continue
    for (const [name, inner] of Object.entries(part))
      waiting.push({ part: inner, path: path ? `${path}.${name}` : name })
  }
}
