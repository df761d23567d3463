import type { Stand } from './stand.ts'

/** A row of the table: something the service must reach, measured beside its yardstick in the same run. */
export interface Row {
  readonly name: string
  readonly title: string
  /** What a reader has to know to judge the figures: above all what the yardstick leaves out. */
  readonly notes: readonly string[]
  run(stand: Stand): Promise<Finding[]>
}

export interface Finding {
  readonly measure: string
  readonly unit: Unit
  readonly product: number
  readonly yardstick: number
  readonly yardstickIs: string
  readonly ratio: number
  /** The lowest and the highest of the rounds’ own ratios, where there were rounds. */
  readonly spread?: readonly [number, number]
  /** Null for what is told without being asked for. */
  readonly target: Target | null
}

/** Empty for a plain number. */
export type Unit = '/s' | 'ms' | 's' | 'MB' | ''

/** What is asked, of the ratio or of the product's own figure. */
export interface Target {
  readonly of: 'ratio' | 'product'
  readonly is: '≥' | '≤' | '<'
  readonly value: number
}

/** Null where nothing is asked, or the machine could not measure it. */
export function isMet({ product, ratio, target }: Finding): boolean | null {
  if (target === null) return null
  const value = target.of === 'ratio' ? ratio : product
  if (Number.isNaN(value)) return null
  if (target.is === '≥') return value >= target.value
  return target.is === '≤' ? value <= target.value : value < target.value
}

export const ratioAtLeast = (value: number): Target => ({ of: 'ratio', is: '≥', value })
export const ratioAtMost = (value: number): Target => ({ of: 'ratio', is: '≤', value })
export const ratioBelow = (value: number): Target => ({ of: 'ratio', is: '<', value })
export const below = (value: number): Target => ({ of: 'product', is: '<', value })
