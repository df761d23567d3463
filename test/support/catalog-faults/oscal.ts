import { LIMITS } from '../../../server/frameworks/reading/limits.ts'
import { readOscal } from '../../../server/frameworks/reading/oscal.ts'
import { smallOscal } from '../catalog-samples.ts'
import type { Planted } from './planted.ts'

/* What may be wrong in OSCAL. */

type Path = readonly (string | number)[]
const LONG = 'x'.repeat(LIMITS.text + 1)
const ITEM: Path = ['parts', 0, 'parts', 0, 'prose']
const CHOICE: Path = ['params', 0, 'select']
const round = (id: string) => ({ choice: [`{{ insert: param, ${id}_prm }}`] })

/** [what becomes of it: undefined takes it away, where in a control, the words; where it is told, if elsewhere] */
const OF_CONTROLS: readonly (readonly [unknown, Path, RegExp, string?])[] = [
  [undefined, ['id'], /^is missing: give a text/],
  ['  ', ['id'], /^is missing/],
  [{}, ['id'], /^is an object: give a text/],
  [undefined, ['title'], /^is missing/],
  [['x'], ['title'], /^is a list: give a text/],
  [true, ['title'], /^is true: give a text/],
  ['x'.repeat(600), ['title'], /^has 600 letters: shorten it to 500/],
  ['a\u0000b', ['title'], /^has a letter U\+0000/],
  ['a\ud800b', ['title'], /^has half a letter/],
  ['x', ['parts'], /^is the text “x”: give a list/],
  [7, ['parts', 0], /^is the number “7”: give an object/],
  [undefined, ['parts', 0, 'name'], /^is missing/],
  [LONG, ['parts', 0, 'prose'], /^has 20001 letters/],
  [`"${LONG}`, ITEM, /^has 20002 letters/],
  ['{{ insert: param, no-such }}', ['parts', 1, 'prose'], /“no-such”, which never comes/],
  [undefined, ['params', 0, 'id'], /^is missing/],
  [{ choice: 'a' }, CHOICE, /give a list of texts/, '.params[0].select.choice'],
  [[{ rel: 'related' }], ['links'], /^is missing/, '.links[0].href'],
  ['K'.repeat(151), ['props', 0, 'value'], /^has 151 letters: shorten it to 100/],
  [{}, ['controls'], /^is an object: give a list/],
]

const placeOf = (path: Path) =>
  path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')

/** An object of the sample with something else at a path. */
function changed(path: Path, value: unknown): object {
  const file = smallOscal()
  const holder = path.slice(0, -1).reduce((at, step) => at[step], file.catalog)
  if (value === undefined) delete holder[path.at(-1)!]
  else holder[path.at(-1)!] = value
  return file
}

const read = (file: unknown) => readOscal(Buffer.from(typeof file === 'string' ? file : JSON.stringify(file)))

const planted = (path: Path, value: unknown, message: RegExp, place: string | RegExp): Planted => ({
  ...{ rule: `${placeOf(path)}: ${String(JSON.stringify(value)).slice(0, 40)}`, place, message },
  reading: () => read(changed(path, value)),
})

const inControls = [0, 1].flatMap((group) =>
  [0, 1, 2, 3].flatMap((at) => {
    const control: Path = ['groups', group, 'controls', at]
    const id = `${group === 0 ? 'dr' : 'wn'}-${at + 1}`
    const twice = { id: `${id}_prm` }
    return [
      ...OF_CONTROLS.map(([value, path, message, place = placeOf(path)]) =>
        planted([...control, ...path], value, message, `catalog${placeOf(control)}${place}`),
      ),
      planted(
        [...control, 'params', 1],
        twice,
        /give each parameter an id of its own/,
        `catalog${placeOf([...control, 'params', 1, 'id'])}`,
      ),
      planted(
        [...control, ...CHOICE],
        round(id),
        /^leads round to itself/,
        `catalog${placeOf([...control, 'params', 0])}`,
      ),
    ]
  }),
)

const idTwice = [0, 1, 2, 3].map((at) =>
  planted(
    ['groups', 1, 'controls', at, 'id'],
    'dr-1',
    /^is “dr-1”, as catalog\.groups\[0\]\.controls\[0\] has: give each control an id of its own/,
    `catalog.groups[1].controls[${at}].id`,
  ),
)

const nested = (levels: number): unknown[] =>
  Array.from({ length: levels }).reduce<unknown[]>(
    (inner, _, index) => [{ id: `deep-${levels - index}`, title: 'Deep', controls: inner }],
    [],
  )

/** Each names the one before it ten times: the last would be a billion letters, and takes the place of one of a control. */
const growing = (): unknown[] => [
  { id: 'dr-1_prm', select: { choice: ['{{ insert: param, p9 }}'] } },
  { id: 'p0', values: ['x'.repeat(100)] },
  ...Array.from({ length: 9 }, (_, at) => ({
    id: `p${at + 1}`,
    values: Array.from({ length: 10 }, () => `{{ insert: param, p${at} }}`),
  })),
]

const whole: Planted[] = [
  planted(['metadata', 'title'], undefined, /^is missing/, 'catalog.metadata.title'),
  planted(['metadata', 'version'], undefined, /^is missing/, 'catalog.metadata.version'),
  planted(['metadata'], undefined, /^is nothing: give an object/, 'catalog.metadata'),
  planted(
    ['metadata', 'last-modified'],
    'lately',
    /“lately”: give a moment/,
    'catalog.metadata.last-modified',
  ),
  planted(['groups'], [], /^The file has no requirement/, ''),
  planted(['groups'], 3, /^is the number “3”: give a list/, 'catalog.groups'),
  planted(['groups', 1, 'id'], 'dr', /^is “dr”, as .+ give each group an id/, 'catalog.groups[1].id'),
  planted(['groups', 1, 'title'], undefined, /^is missing/, 'catalog.groups[1].title'),
  planted(
    ['groups', 0, 'controls', 0, 'parts', 1, 'prose'],
    'x'.repeat(1e7),
    /^has 10000000 letters/,
    'catalog.groups[0].controls[0].parts[1].prose',
  ),
  planted(['params'], growing(), /^has \d+ letters with its parameters/, /^catalog\.params\[\d\]$/),
  planted(
    ['groups', 0, 'controls'],
    nested(100),
    /^stands 21 deep: at most 20/,
    /^catalog\.groups\[0\](\.controls\[0\]){20}$/,
  ),
]

const others = ['component-definition', 'system-security-plan', 'assessment-results'].map(
  (name): Planted => ({
    ...{ rule: name, place: '', message: /^The file is .+resolved/ },
    reading: () => read({ [name]: {} }),
  }),
)

const profile = (more: object) => () =>
  read({ profile: { uuid: 'p', metadata: { title: 'P', version: '1' }, ...more } })

const profiles: Planted[] = [
  {
    rule: 'no imports',
    place: 'profile.imports',
    message: /^is missing: name the catalog/,
    reading: profile({}),
  },
  {
    ...{
      rule: 'no href',
      place: 'profile.imports[0].href',
      message: /^is missing: name the catalog or profile/,
    },
    reading: profile({ imports: [{}] }),
  },
  {
    ...{ rule: 'no such file', place: 'profile.imports[0].href' },
    message: /^names “https:\/\/house\.example\/c\.json”, which is not among the files: send .+ ZIP archive$/,
    reading: profile({ imports: [{ href: 'https://house.example/c.json' }] }),
  },
  {
    ...{
      rule: 'no such resource',
      place: 'profile.imports[0].href',
      message: /^names “#x”, which is no resource/,
    },
    reading: profile({ imports: [{ href: '#x' }] }),
  },
]

const text = JSON.stringify(smallOscal(), null, 1)
const broken = /^is no JSON from here/

const unreadable: Planted[] = [
  { rule: 'a list', place: '', message: /^The file is no OSCAL catalog/, reading: () => read([]) },
  { rule: 'nothing', place: '', message: /^The file is empty/, reading: () => readOscal(Buffer.alloc(0)) },
  {
    ...{ rule: 'UTF-16', place: '', message: /in UTF-16: save it as UTF-8/ },
    reading: () => readOscal(Buffer.from('\uFEFF{"catalog":{}}', 'utf16le')),
  },
  {
    ...{ rule: 'Latin-1', place: 'line 2', message: /not in UTF-8 from here on/ },
    reading: () => readOscal(Buffer.from('{\n"catalog": "\u00e9"}', 'latin1')),
  },
  ...[10, 200, 900, 2_000].map(
    (length): Planted => ({
      ...{ rule: `cut after ${length}`, place: /^line \d+, column \d+$/, message: broken },
      reading: () => read(text.slice(0, length)),
    }),
  ),
  ...[1, 5, 9].map((line): Planted => {
    const lines = text.split('\n')
    lines[line] += ',,'
    const place = new RegExp(`^line ${line + 1}, column \\d+$`)
    return { rule: `commas in ${line}`, place, message: broken, reading: () => read(lines.join('\n')) }
  }),
]

/** What parses JSON would take the last of them, and say nothing. */
const namedTwice = (['"title": "T"', '"\\u0074itle": "T"', '"id": "x"'] as const).flatMap((member) =>
  [text.indexOf('"groups"'), text.indexOf('"controls"'), text.indexOf('"metadata"')].map((from): Planted => {
    const at = text.indexOf('{', from) + 1
    return {
      ...{ rule: `${member} at ${at}`, place: /^catalog\./, message: /^is there twice in the same object/ },
      reading: () => read(`${text.slice(0, at)}${member}, ${member},${text.slice(at)}`),
    }
  }),
)

export const oscalFaults = [
  ...[...inControls, ...idTwice, ...whole, ...others, ...profiles],
  ...[...unreadable, ...namedTwice],
]
