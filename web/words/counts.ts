const number = new Intl.NumberFormat()

/** A number as the reader writes it. */
export const countWord = (count: number): string => number.format(count)

/** How many of what. */
export const counted = (count: number, one: string, many: string): string =>
  `${countWord(count)} ${count === 1 ? one : many}`
