import { readCaLibrary } from '../../../server/frameworks/reading/ca-library.ts'
import { LIMITS } from '../../../server/frameworks/reading/limits.ts'
import { smallLibrary } from '../catalog-samples.ts'
import type { Planted } from './planted.ts'

/* What may be wrong in a library of CISO Assistant, and in YAML. */

const LONG = 'x'.repeat(LIMITS.text + 1)

/** [how the line of a node begins, what it becomes, the words] */
const LINES: readonly (readonly [string, string, RegExp])[] = [
  ['    - urn:', '    - name: x', /^is missing/],
  ['    - urn:', '    - urn: urn:example:risk:req_node:house:1.1', /give each a URN of its own/],
  ['      parent_urn:', '      parent_urn: urn:house:9', /stands beneath “urn:house:9”, which never comes/],
  ['      parent_urn:', '      name: x', /is missing, though the depth is 2/],
  ['      assessable:', '      assessable: maybe', /“maybe”: give true or false/],
  ['      depth:', '      depth: 0', /“0”: give a number from 1/],
  ['      importance:', '      importance: high', /“high”: give one of mandatory, recommended, nice_to_have/],
  ['      weight:', '      weight: -1', /“-1”: give a number from 0/],
  [
    '      implementation_groups:',
    '      implementation_groups: { B: 1 }',
    /is an object: give a list of texts/,
  ],
  ['      implementation_groups:', '      implementation_groups: B', /is the text “B”: give a list of texts/],
  ['      description:', `      description: ${LONG}`, /^has 20001 letters/],
  ['      description:', '      description: *x', /^is an alias|^is no YAML/],
  ['      description:', '      description: !thing x', /^has a tag/],
  ['      weight:', '      depth: 2', /^is there twice/],
  ['      weight:', '      <<: { weight: 2 }', /^is a merge/],
  ['      depth:', '      depth: 0x2', /“0x2”: give a number from 1/],
  ['      implementation_groups:', '      implementation_groups: [B', /^is no YAML from here/],
  ['      description:', '      description: "x', /^is no YAML from here|there twice/],
  ['      weight:', '\tweight: 2', /^is indented by a tab|^is no YAML/],
]

const read = (lines: readonly string[]) => readCaLibrary(Buffer.from(lines.join('\n')))

const inNodes = LINES.flatMap(([begin, becomes, message]) =>
  [2, 3, 4].map(
    (part): Planted => ({
      ...{ rule: `${part}: ${becomes.slice(0, 60)}`, place: /^line \d+, column \d+$/, message },
      reading: () => {
        const lines = smallLibrary()
        const from = lines.findIndex((line) => line.endsWith(`house:${part}.1`))
        const at = lines.findIndex((line, index) => index >= from && line.startsWith(begin))
        return read(lines.with(at, becomes))
      },
    }),
  ),
)

const NODE = '    - urn: urn:example:risk:req_node:house:'
const parentOf = (line: string, part: string, parent: string) =>
  line === `${NODE}${part}` ? `${line}\n      parent_urn: urn:example:risk:req_node:house:${parent}` : line

const planted = (
  rule: string,
  lines: readonly string[],
  place: string | RegExp,
  message: RegExp,
): Planted => ({
  ...{ rule, place, message },
  reading: () => read(lines),
})

const whole: Planted[] = [
  planted('no objects', ['name: x'], '', /^The file is no library/),
  planted(
    'no framework',
    ['objects:', '  threats: [{ urn: a }, { urn: b }]'],
    /^line 2/,
    /^The library holds 2 threats and no framework/,
  ),
  planted(
    'no version',
    smallLibrary().filter((line) => !line.startsWith('version')),
    /^line/,
    /^is missing/,
  ),
  planted('two documents', [...smallLibrary(), '---', 'a: 1'], /^line \d+/, /second document/),
  planted('no end', ['['.repeat(100_000)], /^(line .+)?$/, /stand too deep|is no YAML/),
  planted(
    'an alias that grows',
    ['a: &a [x, x]', 'b: &b [*a, *a]', 'objects: [*b, *b]'],
    'line 2, column 8',
    /^is an alias, which is not taken/,
  ),
  planted(
    'a circle',
    smallLibrary().map((line) => parentOf(parentOf(line, '2', '3'), '3', '2')),
    /^line/,
    /^stands beneath itself \(2 beneath 3 beneath 2\)/,
  ),
]

export const libraryFaults = [...inNodes, ...whole]
