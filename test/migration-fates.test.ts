import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Answer,
  answerOf,
  carriedAnswerOf,
  combine,
  settled,
  valuesOf,
} from '../server/frameworks/migration-answers.ts'
import {
  type Correspondence,
  fatesOf,
  isAnswered,
  type Standing,
} from '../server/frameworks/migration-fates.ts'

/* No answer is lost on the way to another edition: each goes somewhere, is asked about, or is told to be dropped. */

const voice = (key: string, answer: Answer) => ({ id: key, key, answer })
const fieldsOf = (all: ReturnType<typeof combine>) => all.disputes.map(({ field, why }) => [field, why])

test.each<[string, Answer[], Answer | null, boolean, Answer, [string, string][]]>([
  [
    'one alone',
    [{ result: 'compliant', resultReason: 'Seen' }],
    null,
    false,
    { result: 'compliant', resultReason: 'Seen' },
    [],
  ],
  ['two of the same', [{ score: 3 }, { score: 3 }], null, false, { score: 3 }, []],
  ['two that differ', [{ score: 3 }, { score: 4 }], null, false, {}, [['score', 'disagree']]],
  [
    'one that says nothing of a number',
    [{ score: 3 }, { note: 'x' }],
    null,
    false,
    { score: 3, note: 'x' },
    [],
  ],
  [
    'one that says nothing of a result',
    [{ result: 'compliant', resultReason: 'y' }, { note: 'x' }],
    null,
    false,
    { note: 'x' },
    [['result', 'disagree']],
  ],
  [
    'one to which nobody answered',
    [{ applicability: 'not_applicable', justification: 'z' }, {}],
    null,
    false,
    {},
    [['applicability', 'disagree']],
  ],
  [
    'what was said of a part',
    [{ result: 'compliant', resultReason: 'y', maturity: 2 }],
    null,
    true,
    { maturity: 2 },
    [['result', 'part']],
  ],
  [
    'what stands there and is said again',
    [{ result: 'compliant', resultReason: 'y' }],
    { result: 'compliant', resultReason: 'y' },
    true,
    { result: 'compliant', resultReason: 'y' },
    [],
  ],
  [
    'what stands there and is another',
    [{ maturity: 1 }],
    { maturity: 2 },
    false,
    {},
    [['maturity', 'disagree']],
  ],
  ['texts', [{ note: 'a' }, { note: 'b' }, { note: 'a' }], null, false, { note: 'B1, B3: a\n\nB2: b' }, []],
  [
    'texts that stand there',
    [{ note: 'a' }, { note: 'b' }],
    { note: 'Own: a' },
    false,
    { note: 'Own: a\n\nB2: b' },
    [],
  ],
  [
    'texts that are too long together',
    [{ justification: 'a'.repeat(4_000) }, { justification: 'b'.repeat(4_000) }],
    null,
    false,
    {},
    [['justification', 'disagree']],
  ],
  ['sets', [{ labels: ['a', 'b'] }, { labels: ['b', 'c'] }], null, false, { labels: ['a', 'b', 'c'] }, []],
  [
    'moments',
    [{ assessedAt: '2026-02-01' }, { assessedAt: '2026-01-01' }],
    null,
    false,
    { assessedAt: '2026-01-01' },
    [],
  ],
  [
    'names of one’s own',
    [{ customFields: { a: 1 } }, { customFields: { b: 2 } }],
    null,
    false,
    { customFields: { a: 1, b: 2 } },
    [],
  ],
  [
    'one name with two values',
    [{ customFields: { a: 1 } }, { customFields: { a: 2 } }],
    null,
    false,
    {},
    [['customFields', 'disagree']],
  ],
])('%s', (_, answers, own, isPart, answer, disputes) => {
  const all = combine(
    own && voice('own', own),
    answers.map((one, at) => voice(`B${at + 1}`, one)),
    isPart,
  )
  expect(all.answer).toEqual(answer)
  expect(fieldsOf(all)).toEqual(disputes)
})

test('whose word counts brings its reason along, and nobody’s leaves what they disagree on', () => {
  const [seen, other] = [
    voice('A', { result: 'compliant', resultReason: 'Seen', note: 'a' }),
    voice('B', { result: 'non_compliant', resultReason: 'Broken' }),
  ]
  const all = combine(null, [seen, other], false)
  expect(settled(all, other).answer).toEqual({ result: 'non_compliant', resultReason: 'Broken', note: 'a' })
  expect(settled(all, null)).toEqual({ answer: { note: 'a' }, fields: ['note'] })
})

test('what was read of a requirement is what it is given', () => {
  const nobody = {
    applicability: 'applicable',
    resultPinned: false,
    result: 'compliant',
    labels: [],
    customFields: null,
  }
  expect(answerOf(nobody)).toEqual({})
  expect(valuesOf({}, ['applicability', 'result', 'note'])).toEqual({
    ...{ applicability: 'applicable', resultPinned: false, note: null },
  })
  const gone = { type: 'user', refId: 'u', active: false, displayName: 'Gone' }
  expect(answerOf({ ...nobody, owner: gone })).toEqual({ owner: { type: 'user', refId: 'u' } })
  expect(carriedAnswerOf({ ...nobody, owner: gone })).toEqual({})
  const pinned = { ...nobody, result: 'compliant', resultPinned: true, resultReason: 'Seen' }
  expect(valuesOf(answerOf(pinned), ['result', 'resultReason'])).toEqual({
    ...{ result: 'compliant', resultPinned: true, resultReason: 'Seen' },
  })
})

const standing = (key: string, more: Partial<Standing> = {}): Standing => ({
  ...{ id: key, key, title: '', assessable: true, answer: {}, links: { control: [], evidence: [] } },
  ...more,
})
const mapped = (from: string, to: string, relationship: Correspondence['relationship']) => ({
  ...{ from, to, relationship, by: 'mapping' as const },
})
const linked = (control: string[], evidence: string[] = []) => ({ links: { control, evidence } })

test('a control that meets a part is not linked with the whole, unless all parts have some', () => {
  const comes = (older: Standing[], ...relationships: Correspondence['relationship'][]) => {
    const pairs = relationships.map((one, at) => mapped(older[at]!.id, 'N', one))
    const [{ links, left }] = fatesOf(older, [standing('N')], pairs).newer as [
      ReturnType<typeof fatesOf>['newer'][number],
    ]
    return {
      control: links.control?.map(({ there }) => there),
      evidence: links.evidence?.map(({ isPart }) => isPart),
      left,
    }
  }
  const [a, b, none] = [standing('A', linked(['c1'], ['e'])), standing('B', linked(['c2'])), standing('B')]
  expect(comes([a], 'equal')).toEqual({ control: ['c1'], evidence: [false], left: 0 })
  expect(comes([a], 'superset_of')).toMatchObject({ control: ['c1'] })
  expect(comes([a], 'intersects')).toEqual({ control: [], evidence: [true], left: 1 })
  expect(comes([a], 'subset_of')).toMatchObject({ control: [], left: 1 })
  expect(comes([a, none], 'subset_of', 'subset_of')).toMatchObject({ control: [], left: 1 })
  expect(comes([a, b], 'subset_of', 'subset_of')).toMatchObject({ control: ['c1', 'c2'], left: 0 })
  expect(comes([a, b], 'subset_of', 'intersects')).toMatchObject({ control: [], left: 2 })
})

test('of names of one’s own only those in dispute go by whose word counts', () => {
  const own = voice('N', { customFields: { one: 'new', two: 'mine' } })
  const old = voice('A', { customFields: { one: 'old', three: 3 } })
  const all = combine(own, [old], false)
  expect(settled(all, null).answer.customFields).toEqual({ one: 'new', two: 'mine', three: 3 })
  expect(settled(all, old).answer.customFields).toEqual({ one: 'old', two: 'mine', three: 3 })
  expect(settled(all, own).answer.customFields).toEqual({ one: 'new', two: 'mine', three: 3 })
})

const someone = fc.record({
  assessable: fc.boolean(),
  answer: fc.record(
    {
      note: fc.constantFrom('x', 'y'),
      result: fc.constantFrom('compliant', 'non_compliant'),
      score: fc.nat(2),
    },
    { requiredKeys: [] },
  ),
  links: fc.record({ control: fc.subarray(['c1', 'c2', 'c3']) }),
})
const edition = (prefix: string) =>
  fc
    .array(someone, { maxLength: 6 })
    .map((all) =>
      all.map(
        (one, at): Standing =>
          ({ ...one, id: `${prefix}${at}`, key: `${prefix}${at}`, title: '' }) as Standing,
      ),
    )
const RELATIONSHIPS = [
  'equal',
  'equivalent',
  'subset_of',
  'superset_of',
  'intersects',
  'no_relationship',
] as const
const pairs = fc.uniqueArray(
  fc.record({
    from: fc.nat(5).map((at) => `o${at}`),
    to: fc.nat(5).map((at) => `n${at}`),
    relationship: fc.constantFrom(...RELATIONSHIPS),
    by: fc.constant('mapping' as const),
  }),
  { selector: ({ from, to }: Correspondence) => `${from} ${to}` },
)

test('each answer has one fate, each link comes once, and nothing is made up', () => {
  fc.assert(
    fc.property(edition('o'), edition('n'), pairs, (older, newer, mapped) => {
      const fates = fatesOf(older, newer, mapped)
      expect(fates.older.map(({ one }) => one)).toEqual(older.filter(isAnswered))
      expect(fates.newer.map(({ one }) => one)).toEqual(newer)
      for (const { one, fate, to } of fates.older) {
        expect(fate === 'dropped').toBe(to.length === 0)
        if (fate === 'carried') expect(to).toHaveLength(1)
        for (const id of to) {
          const there = fates.newer.find((each) => each.one.id === id)!
          expect(there.from.map((pair) => pair.from)).toContain(one.id)
          const reached = [...there.one.links.control!, ...there.links.control!.map((link) => link.there)]
          expect(new Set(reached).size).toBe(reached.length)
          const all = new Set([...reached, ...one.links.control!])
          expect(all.size - reached.length).toBeLessThanOrEqual(there.left)
        }
      }
      for (const { one, fate, from, asks, voices, settle } of fates.newer) {
        expect(fate === 'asked').toBe(asks.length > 0)
        expect(fate === 'new').toBe(from.length === 0)
        const said = [one, ...older].flatMap(({ answer }) => (answer.result ? [answer.result] : []))
        for (const choice of [null, ...voices.map(({ id }) => id)]) {
          const { result } = settle(choice).answer
          if (result !== undefined) expect(said).toContain(result)
        }
      }
    }),
  )
})
