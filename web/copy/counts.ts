import { inNumber, type Noun } from '../../model/noun.ts'
import { writtenNumber } from '../client/formats.ts'

/** A number as the organization writes it. */
export const countWord = (count: number): string => writtenNumber(count)

/** How many of what. */
export const counted = (count: number, one: string, many: string): string =>
  `${countWord(count)} ${count === 1 ? one : many}`

/** How many records of a kind. */
export const countedRecords = (count: number, noun: Noun): string =>
  `${countWord(count)} ${inNumber(noun, count)}`
