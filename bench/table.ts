import { type Finding, isMet, type Row, type Unit } from './row.ts'

export interface Measured {
  readonly row: Row
  readonly findings: readonly Finding[]
}

const HEAD = ['row', 'measured', 'product', 'yardstick', '', 'ratio', 'rounds', 'target', '']

export function tableOf(measured: readonly Measured[]): string {
  const lines = measured.flatMap(({ row, findings }) =>
    findings.map((finding, index) => lineOf(index === 0 ? row.name : '', finding)),
  )
  const widths = HEAD.map((_, column) => Math.max(...[HEAD, ...lines].map((line) => line[column]!.length)))
  const drawn = [HEAD, widths.map((width) => '─'.repeat(width)), ...lines].map((line) =>
    line
      .map((cell, column) =>
        RIGHT.has(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  )
  const notes = measured.flatMap(({ row }) => [
    '',
    `${row.name}: ${row.title}`,
    ...row.notes.map((note) => `  ${note}`),
  ])
  return [...drawn, '', ...READING, ...notes].join('\n')
}

const READING = [
  'Product and yardstick are medians of the rounds, measured turn by turn; the ratio is the median of the rounds’',
  'own ratios, whose lowest and highest stand beside it. What else the machine does moves the figures far more than the ratios.',
]

const RIGHT = new Set([2, 3, 5, 6])

function lineOf(name: string, finding: Finding): string[] {
  const { measure, unit, product, yardstick, yardstickIs, ratio, spread, target } = finding
  return [
    name,
    measure,
    amount(product, unit),
    amount(yardstick, unit),
    yardstickIs,
    Number.isNaN(ratio) ? '–' : ratio.toFixed(2),
    spread ? spread.map((one) => one.toFixed(2)).join('–') : '',
    target === null
      ? '–'
      : target.of === 'ratio'
        ? `ratio ${target.is} ${target.value}`
        : `${target.is} ${target.value} ${unit}`.trimEnd(),
    verdictOf(finding),
  ]
}

function verdictOf(finding: Finding): string {
  if (finding.target === null) return ''
  const met = isMet(finding)
  return met === null ? 'not measured here' : met ? 'met' : 'MISSED'
}

function amount(value: number, unit: Unit): string {
  if (Number.isNaN(value)) return '–'
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3
  const written = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return unit === '/s' ? `${written}/s` : `${written} ${unit}`.trimEnd()
}

export const jsonOf = (measured: readonly Measured[]): string =>
  JSON.stringify(
    measured.map(({ row: { name, title, notes }, findings }) => ({
      row: name,
      title,
      notes,
      findings: findings.map((finding) => ({ ...finding, met: isMet(finding) })),
    })),
    null,
    2,
  )
