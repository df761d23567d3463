const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 })
const seconds = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })
const percentage = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })

/** A duration, in the unit that it is read in. */
export const milliseconds = (duration: number): string =>
  duration < 1_000 ? `${whole.format(duration)} ms` : `${seconds.format(duration / 1_000)} s`

/** Rounded down, so that nothing short of everything reads as 100 %. */
export const percent = (rate: number): string => percentage.format(Math.floor(rate * 1_000) / 1_000)

export const number = (value: number): string => whole.format(value)
