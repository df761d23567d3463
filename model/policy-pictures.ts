import { type Block, type Inline, readMarkdown } from './markdown.ts'

/*
 * The pictures of a policy. Its text names each by the id of its file, which is one of its own: `![Plan](fil_…)`. What
 * others read names the SHA-256 of its bytes as well, so that the hash of the text is one of its pictures too.
 */

/** What everybody's programs show, a PDF and Word too. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg'] as const
export const PICTURE_BYTES_AT_MOST = 5 * 1024 * 1024
/** Signs of a side, and of all of it: what is larger takes more memory to be shown than whoever looks at it may have. */
export const PICTURE_SIDE_AT_MOST = 8_000
export const PICTURE_PIXELS_AT_MOST = 8_000_000
export const PICTURES_AT_MOST = 100

/** The ids of the files that a text shows, each once. */
export function picturesIn(text: string): string[] {
  if (!text.includes('](fil_')) return []
  const found = new Set<string>()
  const ofInline = (inline: readonly Inline[]): void => {
    for (const part of inline)
      if (part.type === 'image') found.add(part.fileId)
      else if (part.type === 'strong' || part.type === 'emphasis') ofInline(part.inline)
  }
  const ofBlocks = (blocks: readonly Block[]): void => {
    for (const block of blocks)
      if (block.type === 'quote') ofBlocks(block.blocks)
      else if (block.type === 'list') for (const item of block.items) ofBlocks(item)
      else if (block.type === 'table') for (const cell of [block.head, ...block.rows].flat()) ofInline(cell)
      else if (block.type === 'paragraph' || block.type === 'heading') ofInline(block.inline)
  }
  ofBlocks(readMarkdown(text))
  return [...found]
}

const NAMED = /(!\[[^\][\n]{0,500}\]\()(fil_[0-9a-z]{26})(?: "SHA-256 [0-9a-f]{64}")?\)/g

/** The text with the SHA-256 of each of its pictures; whatever else stood there of one is away. */
export const withHashes = (text: string, hashes: ReadonlyMap<string, string>): string =>
  text.replace(NAMED, (whole, before: string, id: string) => {
    const hash = hashes.get(id)
    return hash === undefined ? whole : `${before}${id} "SHA-256 ${hash}")`
  })

/** The text as it is written, before the hashes of its pictures were put there. */
export const withoutHashes = (text: string): string =>
  text.replace(NAMED, (_, before: string, id: string) => `${before}${id})`)

/** The SHA-256 that a text says of its pictures, by their files. */
export const hashesIn = (text: string): Map<string, string> =>
  new Map([...text.matchAll(SAID)].map(([, id, hash]) => [id!, hash!]))

const SAID = /\]\((fil_[0-9a-z]{26}) "SHA-256 ([0-9a-f]{64})"\)/g
