import { writtenNumber } from '../client/formats.ts'

/** A number as the organization writes it. */
export const countWord = (count: number): string => writtenNumber(count)

/** How many of what. */
export const counted = (count: number, one: string, many: string): string =>
  `${countWord(count)} ${count === 1 ? one : many}`
