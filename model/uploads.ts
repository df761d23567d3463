import type { Values } from './complaint.ts'
import type { Uploads } from './kind.ts'

/** What a record that is made of a file says of it, by its media type. */
export const draftOf = ({ ofPicture = {} }: Uploads, mediaType: string): Values =>
  mediaType.startsWith('image/') ? ofPicture : {}
