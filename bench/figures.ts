/** @param share 0.5 for the median, 0.95 for the p95 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  if (sorted.length === 0) return Number.NaN
  const place = (sorted.length - 1) * share
  const low = sorted[Math.floor(place)]!
  return low + (sorted[Math.ceil(place)]! - low) * (place % 1)
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

export interface Rounds<Product, Yardstick> {
  readonly products: Product[]
  readonly yardsticks: Yardstick[]
}

/**
 * Measures two things turn by turn, so that whatever else the machine does falls on both; every other round
 * the other way round, so that neither always follows the other.
 */
export async function interleave<Product, Yardstick>(
  rounds: number,
  product: () => Promise<Product>,
  yardstick: () => Promise<Yardstick>,
): Promise<Rounds<Product, Yardstick>> {
  const products: Product[] = []
  const yardsticks: Yardstick[] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) products.push(await product())
    yardsticks.push(await yardstick())
    if (round % 2 === 1) products.push(await product())
  }
  return { products, yardsticks }
}

/**
 * The medians of both, and the median of the rounds' own ratios with the lowest and the highest: of two neighbours in time, which a machine
 * that is slow for a while moves less than the ratio of the two medians.
 */
export function compare(products: readonly number[], yardsticks: readonly number[]) {
  const ratios = products.map((value, round) => value / yardsticks[round]!)
  const spread = [Math.min(...ratios), Math.max(...ratios)] as const
  return { product: median(products), yardstick: median(yardsticks), ratio: median(ratios), spread }
}

/** Milliseconds on the clock that all processes of the machine share. */
export const sharedClock = (): number => Number(process.hrtime.bigint()) / 1e6
