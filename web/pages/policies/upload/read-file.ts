import { endingOf, HEAD_BYTES, isOfForm, typeByName } from '../../../../model/file-types.ts'
import { TEXT_AT_MOST, unknownIn } from '../../../../model/policy-text.ts'
import { policyUpload as words } from '../../../copy/policy-upload.ts'
import { type Lost, markdownOf, readHtml } from '../paste/markdown-of.ts'
import { documentTextOf } from './document-text.ts'
import { documentTitle } from './document-title.ts'
import { titleOf } from './guess.ts'

/** What files of policies end in, where they are text. */
export const TEXT_ENDINGS = ['md', 'markdown', 'txt', 'html', 'htm'] as const

/** Those that stay as they are. */
export const FILE_ENDINGS = ['docx', 'pdf'] as const

/** A text has at most four bytes a sign; as a page it has marks around them. */
const BYTES_AT_MOST = 4 * TEXT_AT_MOST

export interface PolicyFile {
  readonly title: string
  /** None of what stays a file. */
  readonly content: string | null
  /** What of it is not in the content. */
  readonly lost: readonly Lost[]
  /** What else of it is left out, in sentences. */
  readonly notes?: readonly string[]
}

/**
 * Reads a file of a policy as Markdown, where it is a text, with the title that it gives itself or its name gives it.
 * @throws {Error} what is wrong with it, in words for whoever chose it
 */
export async function readPolicyFile(file: File): Promise<PolicyFile> {
  const ending = endingOf(file.name)
  if (file.size === 0) throw new Error(words.unread.empty)
  if ((FILE_ENDINGS as readonly string[]).includes(ending)) {
    const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())
    if (!isOfForm(head, typeByName(file.name)!.form)) throw new Error(words.unread.otherForm(ending))
    return {
      title: (ending === 'docx' ? await documentTitle(file) : null) ?? titleOf(file.name),
      ...{ content: null, lost: [] },
    }
  }
  if (ending === 'zip') throw new Error(words.unread.archive)
  if (!(TEXT_ENDINGS as readonly string[]).includes(ending)) throw new Error(words.unread.type)
  if (file.size > BYTES_AT_MOST) throw new Error(words.unread.large)
  const text = textIn(new Uint8Array(await file.arrayBuffer()))
  const { markdown, lost } = asMarkdown(ending, text)
  const { title, content, fieldsLeft, hadComments } = await documentTextOf(markdown, file.name)
  if (content.trim() === '') throw new Error(words.unread.empty)
  if (content.length > TEXT_AT_MOST) throw new Error(words.unread.large)
  const notes = [
    ...(fieldsLeft.length > 0 ? [words.fieldsLeft(fieldsLeft)] : []),
    ...(hadComments ? [words.commentsLeft] : []),
  ]
  return {
    ...{ title: title ?? titleOf(file.name), content: withKnownPlaceholders(content), lost },
    ...(notes.length > 0 ? { notes } : {}),
  }
}

/** In UTF-8, or else as the mark at its beginning says, or else as Windows wrote it. */
function textIn(bytes: Uint8Array): string {
  const wide =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : null
  if (wide) return new TextDecoder(wide).decode(bytes)
  if (bytes.includes(0)) throw new Error(words.unread.noText)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function asMarkdown(ending: string, text: string): { markdown: string; lost: readonly Lost[] } {
  const lines = text.replace(/\r\n?/g, '\n')
  if (ending === 'md' || ending === 'markdown') return { markdown: lines, lost: [] }
  if (ending !== 'txt') {
    const title = /<title[^>]*>([^<]{1,200})<\/title>/i.exec(lines)?.[1]
    const { text: content, lost } = readHtml(lines)
    const isTitled = title && !content.startsWith('# ')
    return { markdown: isTitled ? `# ${markdownOf(title)}\n\n${content}` : content, lost }
  }
  // What is in it is words, in paragraphs where an empty line is between them.
  const paragraphs = lines
    .split(/\n\s*\n/)
    .map((one) => `<p>${escaped(one.trim()).replaceAll('\n', '<br>')}</p>`)
  return { markdown: markdownOf(paragraphs.join('')), lost: [] }
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Braces that are no placeholder of ours are words: another product filled them. */
const withKnownPlaceholders = (content: string): string =>
  content.replace(/(?<!\\)\{\{[^{}\n]{0,100}\}\}/g, (braces) =>
    unknownIn(braces).length > 0 ? braces.replaceAll('{', '\\{') : braces,
  )
