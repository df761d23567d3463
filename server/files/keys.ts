/*
 * Under which keys the store keeps what. Each begins with the organization; kept bytes lie in two levels of folders, so
 * that none has too many. What parts the id ends in is drawn by chance, so they spread evenly.
 */

/** A part of a file that is not finished. */
export const keyOfPart = (organizationId: string, fileId: string, number: number): string =>
  `${organizationId}/incoming/${fileId}/${number}`

/** The bytes of a finished file. */
export const keyOfContent = (organizationId: string, contentId: string): string =>
  `${organizationId}/kept/${contentId.slice(-2)}/${contentId.slice(-4, -2)}/${contentId}`

/** What a key is of; null for what is none of ours. */
export function readKey(key: string): { organizationId: string; fileId: string; isKept: boolean } | null {
  const [, organizationId, place, ...rest] = /^(org_[0-9a-z]{26})\/(incoming|kept)\/(.+)$/.exec(key) ?? []
  if (!organizationId || !rest[0]) return null
  const parts = rest[0].split('/')
  const isKept = place === 'kept'
  const fileId = isKept ? parts[2] : parts[0]
  return fileId ? { organizationId, fileId, isKept } : null
}
