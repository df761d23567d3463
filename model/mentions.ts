/*
 * A comment mentions somebody as `@[their name](their id)`. What it says of the name is what they were called then.
 */

export const MENTIONS_AT_MOST = 50

const MENTION = /@\[([^\][\n]{1,200})\]\((usr_[0-9a-z]{26})\)/g

/** Whom a text mentions, each once. */
export const mentionedIn = (text: string): string[] => [
  ...new Set([...text.matchAll(MENTION)].map(([, , id]) => id!)),
]

export interface MentionPart {
  readonly userId: string
  readonly name: string
}

/** A text in its parts: what is words, and whom it mentions between them. */
export function partsOf(text: string): (string | MentionPart)[] {
  const parts: (string | MentionPart)[] = []
  let from = 0
  for (const match of text.matchAll(MENTION)) {
    if (match.index > from) parts.push(text.slice(from, match.index))
    parts.push({ name: match[1]!, userId: match[2]! })
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push(text.slice(from))
  return parts
}

/** A mention as it is written. */
export const mention = ({ name, userId }: MentionPart): string =>
  `@[${name.replace(/[\][\n]+/g, ' ').slice(0, 200)}](${userId})`

/** The same text, in which each is called as they are now. */
export const withNames = (text: string, nameOf: (userId: string) => string | undefined): string =>
  partsOf(text)
    .map((part) =>
      typeof part === 'string' ? part : mention({ ...part, name: nameOf(part.userId) ?? part.name }),
    )
    .join('')
