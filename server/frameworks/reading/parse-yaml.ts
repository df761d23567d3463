import { isNode, isScalar, LineCounter, type ParsedNode, parseDocument, visit, type YAMLMap } from 'yaml'
import { type Findings, Unreadable } from './faults.ts'
import type { Path } from './shape.ts'

/*
 * The one place that knows the library which reads YAML. Aliases are refused, so that a short file is never a long one,
 * and so are tags, by which a value would be another than it says. A number that would be written otherwise, such as
 * 1.10 or 0815, is a text: people number their requirements so, and mean each digit.
 */

export interface ParsedYaml {
  readonly value: unknown
  readonly placeOf: (path: Path) => string
}

/** @throws {Unreadable} for what is nested so deep that nothing reads it */
export function parseYaml(text: string, findings: Findings): ParsedYaml {
  try {
    return parsed(text, findings)
  } catch (error) {
    if (error instanceof RangeError)
      throw new Unreadable('', 'Lists and maps stand too deep in each other: place them higher.')
    throw error
  }
}

function parsed(text: string, findings: Findings): ParsedYaml {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
    stringKeys: true,
    // The library compares each name with all before it.
    uniqueKeys: false,
  })
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return line === 0 ? '' : `line ${line}, column ${col}`
  }
  for (const { code, pos } of [...document.errors, ...document.warnings])
    findings.fault(
      at(pos[0]),
      FAULTS[code] ?? 'is no YAML from here on: see the indentation and the quotation marks',
    )
  visit(document, {
    Map: (_, map) => {
      for (const offset of repeatedKeys(map)) findings.fault(at(offset), FAULTS.DUPLICATE_KEY!)
    },
    Alias: (_, { range }) => {
      findings.fault(at(range?.[0] ?? 0), 'is an alias, which is not taken: write out what it stands for')
    },
    Pair: (_, { key }) => {
      if (isScalar(key) && key.value === '<<')
        findings.fault(at(key.range?.[0] ?? 0), 'is a merge (<<), which is not taken: write out its fields')
    },
    Scalar: (_, scalar) => {
      const { value, source } = scalar
      if (typeof value === 'number' && source !== undefined && String(value) !== source) scalar.value = source
    },
  })
  const placeOf = (path: Path): string => {
    for (let length = path.length; length > 0; length -= 1) {
      const node = document.getIn(path.slice(0, length), true)
      if (isNode(node) && node.range) return at(node.range[0])
    }
    return at(0)
  }
  return { value: findings.isGood ? document.toJS({ maxAliasCount: 0 }) : null, placeOf }
}

/** Where a name stands that the map has already. */
function* repeatedKeys({ items }: YAMLMap): Generator<number> {
  const names = new Set<unknown>()
  for (const { key } of items) {
    if (!isScalar(key)) continue
    if (names.has(key.value)) yield (key as ParsedNode & { value: unknown }).range?.[0] ?? 0
    names.add(key.value)
  }
}

const FAULTS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'is there twice in the same map: leave one of them out',
  NON_STRING_KEY: 'is no text, as the name of a field has to be: write it in quotation marks',
  TAG_RESOLVE_FAILED: 'has a tag (!), which is not taken: leave it out',
  TAB_AS_INDENT: 'is indented by a tab: use blanks',
  MULTIPLE_DOCS: 'begins a second document: give each in a file of its own',
}
