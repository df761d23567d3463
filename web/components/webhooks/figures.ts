import { writtenNumber } from '../../client/formats.ts'

const WHOLE = { maximumFractionDigits: 0 }
const TENTHS = { maximumFractionDigits: 1 }
const PERCENT = { style: 'percent', maximumFractionDigits: 1 } as const

/** A duration, in the unit that it is read in. */
export const milliseconds = (duration: number): string =>
  duration < 1_000 ? `${number(duration)} ms` : `${writtenNumber(duration / 1_000, TENTHS)} s`

/** Rounded down, so that nothing short of everything reads as 100 %. */
export const percent = (rate: number): string => writtenNumber(Math.floor(rate * 1_000) / 1_000, PERCENT)

export const number = (value: number): string => writtenNumber(value, WHOLE)
