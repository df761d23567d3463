import { endOfString } from './json-break.ts'

/** The steps from the top of a text of JSON to something in it. */
export type JsonPath = readonly (string | number)[]

interface Open {
  /** The names of an object so far; none for a list. */
  readonly names: Set<string> | null
  /** What is read now: by its name, or as how manieth of the list. */
  step: string | number
}

/**
 * Where a name stands again in the same object: what parses JSON takes the last of them and says nothing.
 * @param text JSON, and nothing else
 */
export function* repeatedNames(text: string): Generator<JsonPath> {
  const open: Open[] = []
  let isName = false
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]!
    const inner = open.at(-1)
    if (letter === '"') {
      const end = endOfString(text, at)
      if (isName && inner?.names) {
        inner.step = JSON.parse(text.slice(at, end)) as string
        if (inner.names.has(inner.step)) yield open.map(({ step }) => step)
        inner.names.add(inner.step)
        isName = false
      }
      at = end - 1
    } else if (letter === '{' || letter === '[') {
      isName = letter === '{'
      open.push(isName ? { names: new Set(), step: '' } : { names: null, step: 0 })
    } else if (letter === '}' || letter === ']') {
      open.pop()
    } else if (letter === ',' && inner) {
      isName = inner.names !== null
      if (typeof inner.step === 'number') inner.step += 1
    }
  }
}

/** As programs that read JSON write it: `catalog.groups[0].id`. */
export const jsonPlace = (path: JsonPath): string =>
  path.reduce<string>(
    (place, step) =>
      typeof step === 'number'
        ? `${place}[${step}]`
        : /^[\w-]{1,60}$/.test(step)
          ? `${place}${place === '' ? '' : '.'}${step}`
          : `${place}[${JSON.stringify(step.slice(0, 60))}]`,
    '',
  )
