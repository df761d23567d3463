/*
 * A number has some sixteen digits; of one that was written with more the rest would be others than were written, without
 * a word. Fractions are measured, and nobody misses those; whole numbers name things.
 */

/** Whether a number is the one that was written, to the last digit. */
export const isExact = (written: string, value: number): boolean =>
  digitsOf(written) === digitsOf(String(value))

/** Whether more was lost than digits of a fraction. */
export const isOther = (written: string, value: number): boolean =>
  (value === 0 || Math.abs(value) > Number.MAX_SAFE_INTEGER) && !isExact(written, value)

/** Its digits without noughts around them, and where the point stands. */
function digitsOf(written: string): string {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^[+-]?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(written) ?? []
  const all = `${whole}${fraction}`
  const digits = all.replace(/^0+/, '')
  if (digits === '') return '0'
  const place = BigInt(exponent) + BigInt(whole.length - (all.length - digits.length))
  return `${digits.replace(/0+$/, '')} ${place}`
}
