import { whereJsonBreaks } from '../../../model/json-break.ts'
import { jsonPlace, repeatedNames } from '../../../model/json-names.ts'
import { type Findings, Unreadable } from './faults.ts'

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
