import { countWord } from './counts.ts'

export const percentWord = (percent: number): string => `${countWord(percent)}%`

/** How many of a whole are what. */
export const shareWord = (title: string, count: number): string => `${title}: ${countWord(count)}`
