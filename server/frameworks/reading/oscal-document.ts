import { jsonPlace } from '../../../model/json-names.ts'
import { decode } from './decode.ts'
import { type Findings, Unreadable } from './faults.ts'
import { LIMITS } from './limits.ts'
import { parseOscalXml } from './oscal-xml.ts'
import { parseJson } from './parse-json.ts'
import { parseYaml } from './parse-yaml.ts'
import { isObject, type Path } from './shape.ts'

/* Parses documents in each of the three forms that OSCAL has: JSON, YAML and XML. */

export interface Parsed {
  readonly value: unknown
  /** The place of a path in the file, as people look it up. */
  readonly placeOf: (path: Path) => string
}

/**
 * Parses a document in the form that its first letter shows.
 * @returns null where it has faults, which are in `findings`
 */
export function parseDocument(bytes: Uint8Array, findings: Findings): Parsed | null {
  const text = decode(bytes)
  const first = /^\uFEFF?\s*(\S)/.exec(text.slice(0, BEGINNING))?.[1]
  if (first === '{' || first === '[') return { value: parseJson(text, findings), placeOf: jsonPlace }
  if (first === '<') return good(parseOscalXml(text, findings), findings)
  if (bytes.length > LIMITS.yamlBytes)
    throw new Unreadable(
      '',
      `The file has more than ${LIMITS.yamlBytes / 1024 / 1024} MB, the most that is taken as YAML: give OSCAL as JSON or XML, and of a library only its framework.`,
    )
  // Each line takes the YAML library some memory and time, even an empty one.
  if (bytes.reduce((lines, byte) => lines + Number(byte === NEW_LINE), 0) > LIMITS.yamlLines)
    throw new Unreadable(
      '',
      `The file has more than ${LIMITS.yamlLines} lines, the most that is taken as YAML: give OSCAL as JSON or XML, and of a library only its framework.`,
    )
  return good(parseYaml(text, findings), findings)
}

const NEW_LINE = 10

const good = (parsed: Parsed, findings: Findings): Parsed | null => (findings.isGood ? parsed : null)

const BEGINNING = 10_000

/** What documents of OSCAL are, by the name of their one member. */
export const OSCAL_MODELS = {
  catalog: 'a catalog',
  profile: 'a profile',
  'component-definition': 'a component definition',
  'system-security-plan': 'a system security plan',
  'assessment-plan': 'an assessment plan',
  'assessment-results': 'assessment results',
  'plan-of-action-and-milestones': 'a plan of action and milestones',
  'mapping-collection': 'a collection of mappings',
} as const

export type OscalModel = keyof typeof OSCAL_MODELS

/** The model that a value is a document of. */
export const modelOf = (value: unknown): OscalModel | undefined =>
  isObject(value)
    ? (Object.keys(OSCAL_MODELS) as OscalModel[]).find((name) => Object.hasOwn(value, name))
    : undefined
