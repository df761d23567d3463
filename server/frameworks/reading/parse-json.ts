import { type Findings, Unreadable } from './faults.ts'
import { whereJsonBreaks } from './json-break.ts'
import { repeatedNames } from './json-names.ts'
import type { Path } from './shape.ts'

/**
 * What JSON says; a name that is twice in an object is a fault.
 * @throws {Unreadable} with the line and column where it breaks off
 */
export function parseJson(text: string, findings: Findings): unknown {
  try {
    const value: unknown = JSON.parse(text)
    for (const path of repeatedNames(text))
      findings.fault(jsonPlace(path), 'is there twice in the same object: leave one of them out')
    return value
  } catch {
    const before = text.slice(0, whereJsonBreaks(text))
    throw new Unreadable(
      `line ${before.split('\n').length}, column ${before.length - before.lastIndexOf('\n')}`,
      'is no JSON from here on: see what stands before it, such as a comma or a quotation mark',
    )
  }
}

/** As programs that read JSON write it: `catalog.groups[0].id`. */
export const jsonPlace = (path: Path): string =>
  path.reduce<string>(
    (place, step) =>
      typeof step === 'number'
        ? `${place}[${step}]`
        : /^[\w-]{1,60}$/.test(step)
          ? `${place}${place === '' ? '' : '.'}${step}`
          : `${place}[${JSON.stringify(step.slice(0, 60))}]`,
    '',
  )
