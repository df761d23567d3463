/*
 * Under which keys the store keeps what. Each begins with the organization; kept bytes lie in two levels of folders, so
 * that none has too many. What parts the id ends in is drawn by chance, so they spread evenly.
 */

/** Under which all lies that comes of a file which is not finished. */
export const keyOfUpload = (organizationId: string, fileId: string): string =>
  `${organizationId}/incoming/${fileId}`

/** The bytes of a finished file. */
export const keyOfContent = (organizationId: string, contentId: string): string =>
  `${organizationId}/kept/${contentId.slice(-2)}/${contentId.slice(-4, -2)}/${contentId}`

/** The bytes of one in which the scanner has found something: nothing that gives bytes away looks there. */
export const keyOfInfected = (organizationId: string, contentId: string): string =>
  `${organizationId}/infected/${contentId}`

/** Where bytes lie: parts that came, finished ones, and those that are kept apart. */
export type PlaceOfBytes = 'incoming' | 'kept' | 'infected'

/** What a key is of; null for what is none of ours. */
export function readKey(key: string): { fileId: string; place: PlaceOfBytes } | null {
  const [, place, ...rest] = /^org_[0-9a-z]{26}\/(incoming|kept|infected)\/(.+)$/.exec(key) ?? []
  if (!rest[0]) return null
  const parts = rest[0].split('/')
  const fileId = place === 'kept' ? parts[2] : parts[0]
  return fileId ? { fileId, place: place as PlaceOfBytes } : null
}
