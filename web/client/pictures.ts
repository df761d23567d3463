import { createContext } from 'react'

/** A picture as a text names it. */
export interface NamedPicture {
  readonly fileId: string
  readonly sha256?: string
}

/** What a text is of, whose pictures are asked for: a version, what a member has to read, or a guest's pass. */
export type TextOfPictures =
  | { readonly of: 'version'; readonly id: string }
  | { readonly of: 'mine'; readonly id: string; readonly correction: boolean }
  | { readonly of: 'pass'; readonly correction: boolean }

/** Of the text around; none are shown where nobody says. */
export const Pictures = createContext<TextOfPictures | null>(null)

/**
 * The SHA-256 of the pictures of the texts that are compared, by their files: these stand in the texts without their hashes,
 * so that a picture is told by its file.
 */
export const PictureHashes = createContext<ReadonlyMap<string, string> | null>(null)

/** Under which all of them are kept, and what draws them (components/markdown.tsx). */
export const PICTURE = 'picture'
