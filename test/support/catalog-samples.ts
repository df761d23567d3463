import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/* Files of frameworks: two that are published, and small ones that are whole, to plant faults in. */

const dataOf = (name: string): Buffer =>
  gunzipSync(readFileSync(join(import.meta.dirname, '..', 'published', name)))

export const revision4 = (): Buffer => dataOf('nist-sp-800-53-rev-4.json.gz')
export const highBaseline = (): Buffer => dataOf('nist-sp-800-53-rev-5-high-baseline.json.gz')

const CONTROLS = 4

/** As JSON has it, so that a test can change what it likes. */
// biome-ignore lint/suspicious/noExplicitAny: it is made wrong on purpose
export const smallOscal = (): any => ({
  catalog: {
    uuid: '6f1c0f0e-51f4-4f0e-9d4c-1f2f9a0c0a01',
    metadata: {
      title: 'Rules of the house, version 2',
      version: '2.1',
      'last-modified': '2026-02-01T10:00:00Z',
      'oscal-version': '1.1.2',
    },
    groups: ['dr', 'wn'].map((group) => ({
      id: group,
      title: `Group ${group}`,
      controls: Array.from({ length: CONTROLS }, (_, index) => ({
        id: `${group}-${index + 1}`,
        title: `Control ${index + 1} of ${group}`,
        params: [{ id: `${group}-${index + 1}_prm`, label: 'a number of days' }],
        props: [
          { name: 'label', value: `${group.toUpperCase()}-${index + 1}` },
          { name: 'sort-id', value: `${group}-0${index + 1}` },
        ],
        parts: [
          {
            name: 'statement',
            prose: 'The house:',
            parts: [
              {
                name: 'item',
                props: [{ name: 'label', value: 'a.' }],
                prose: `Looks at it within {{ insert: param, ${group}-${index + 1}_prm }}.`,
              },
            ],
          },
          { name: 'guidance', prose: 'See [the other](#wn-1).' },
        ],
        controls: [{ id: `${group}-${index + 1}.1`, title: 'More of it' }],
      })),
    })),
  },
})

/** A library of CISO Assistant, as lines: the nodes begin at the same line each time. */
export const smallLibrary = (): string[] => [
  'urn: urn:example:risk:library:house',
  'locale: en',
  'ref_id: HOUSE',
  'name: Rules of the house',
  'version: 3',
  'provider: The house',
  'objects:',
  '  framework:',
  '    urn: urn:example:risk:framework:house',
  '    ref_id: HOUSE',
  '    name: Rules of the house',
  '    implementation_groups_definition:',
  '    - ref_id: B',
  '      name: Basic',
  '    requirement_nodes:',
  ...['1', '2', '3', '4'].flatMap((part) => [
    `    - urn: urn:example:risk:req_node:house:${part}`,
    '      assessable: false',
    '      depth: 1',
    `      ref_id: "${part}"`,
    `      name: Part ${part}`,
    `    - urn: urn:example:risk:req_node:house:${part}.1`,
    '      assessable: true',
    '      depth: 2',
    `      parent_urn: urn:example:risk:req_node:house:${part}`,
    `      ref_id: "${part}.1"`,
    `      description: Somebody sees to part ${part}.`,
    '      importance: mandatory',
    '      weight: 2',
    '      implementation_groups: [B]',
  ]),
  '  threats:',
  '  - urn: urn:example:risk:threat:house:1',
]

/** The head of a table and its rows: of each part, itself and one beneath it. */
export const smallTable = (): { head: string[]; rows: unknown[][] } => ({
  head: ['Key', 'Parent', 'Title', 'Text', 'Kind', 'Assessable', 'Levels', 'Importance', 'Weight', 'Depth'],
  rows: ['1', '2', '3', '4', '5'].flatMap((part) => [
    [part, null, `Part ${part}`, null, 'group', 'no', null, null, null, 1],
    [`${part}.1`, part, 'Seen to', `Somebody sees to ${part}.`, 'requirement', 'yes', 'B', 'mandatory', 2, 2],
  ]),
})
