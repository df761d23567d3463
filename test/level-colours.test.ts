/** Promise: each colour in which a level is shown can be read, in light and in dark. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LEVEL_COLOURS } from '../model/risk-matrix.ts'

const sheet = readFileSync(new URL('../web/level-colours.css', import.meta.url), 'utf8')

/** The page and its text, in either scheme. */
const SCHEMES = [
  { scheme: 'light', page: '#ffffff', text: '#1f2328' },
  { scheme: 'dark', page: '#1b1e23', text: '#c9cdd2' },
]

function coloursOf(name: string, index: number): Record<string, string> {
  const [, body = ''] = new RegExp(`data-colour="${name}"\\] \\{([^}]*)\\}`).exec(sheet) ?? []
  return Object.fromEntries(
    [...body.matchAll(/--(\w+): light-dark\((#\w{6}), (#\w{6})\)/g)].map((found) => [
      found[1]!,
      found[2 + index]!,
    ]),
  )
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

test.each(LEVEL_COLOURS.flatMap((name) => SCHEMES.map((scheme, index) => ({ name, index, ...scheme }))))(
  '$name in $scheme',
  ({ name, index, page, text }) => {
    const colours = coloursOf(name, index)
    expect(Object.keys(colours)).toEqual(['level', 'fill', 'cell', 'weight', 'edge'])
    for (const ground of ['cell', 'weight'])
      expect.soft(contrast(text, colours[ground]!), `text on ${ground}`).toBeGreaterThanOrEqual(4.5)
    for (const mark of ['level', 'edge'])
      expect.soft(contrast(page, colours[mark]!), mark).toBeGreaterThanOrEqual(3)
    expect.soft(contrast(page, colours.fill!), 'fill').toBeGreaterThanOrEqual(2.2)
  },
)

test('no two are alike', () => {
  for (const [index] of SCHEMES.entries())
    expect(new Set(LEVEL_COLOURS.map((name) => coloursOf(name, index).level)).size).toBe(LEVEL_COLOURS.length)
})
