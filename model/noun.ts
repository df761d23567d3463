/** A kind within a sentence: "Add an asset", "Change evidence", "12 AI systems". */
export interface Noun {
  readonly one: string
  readonly many: string
  /** `a`, where absent; `none` of what is not counted. */
  readonly article?: 'an' | 'none'
  /** What somebody does who makes one; they add it, where absent. */
  readonly made?: string
  /** What people are told about in its place, where a record of it is but a step of that. */
  readonly about?: { readonly one: string; readonly many: string }
}

/** Whether it is not counted: there is some, and not one or many. */
export const isMass = ({ article }: Noun): boolean => article === 'none'

/** What so many are called, behind their number: "risks", and "records of evidence" of what is not counted. */
export function inNumber(noun: Noun, count: number): string {
  const { one, many } = noun
  if (isMass(noun)) return count === 1 ? `record of ${one}` : `records of ${many}`
  return count === 1 ? one : many
}
