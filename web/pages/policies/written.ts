import { type KeptText, keptText } from '../../client/kept-text.ts'

/** What is typed of a version. */
export interface Written {
  readonly content: string
  readonly changelog: string
  readonly materialChange: boolean
}

/** What somebody wrote of a version in this browser, and did not save. */
export const keptWriting = (place: string): KeptText<Written> | null =>
  keptText<Written>(
    place,
    ({ content, changelog, materialChange }) =>
      typeof content === 'string' && typeof changelog === 'string' && typeof materialChange === 'boolean',
  )
