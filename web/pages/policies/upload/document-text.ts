import { frontMatterOf } from './front-matter.ts'
import { titleOf } from './guess.ts'

/* The title of a Markdown text, and the text without it: pages show the title above the text. */

export interface DocumentText {
  /** Null where the text has none. */
  readonly title: string | null
  readonly content: string
  /** Fields above the text that are not taken over. */
  readonly fieldsLeft: readonly string[]
  /** Comments above the text were left out. */
  readonly hadComments: boolean
}

export async function documentTextOf(markdown: string, fileName: string): Promise<DocumentText> {
  const above = withoutComments(markdown.replace(/^\ufeff/, ''))
  const matter = await frontMatterOf(above.text)
  const below = matter ? withoutComments(above.text.slice(matter.length)) : above
  const heading = headingOf(below.text)
  const said = plain(matter?.title ?? '')
  // A title that only repeats the name of the file says less than the heading.
  const isFileName = said !== null && isNameOf(said, fileName)
  const title = isFileName ? (heading?.title ?? titleOf(fileName)) : (said ?? heading?.title ?? null)
  const isTitle = heading !== null && heading.title.toLowerCase() === title?.toLowerCase()
  return {
    title,
    content: isTitle ? below.text.slice(heading.length) : below.text,
    fieldsLeft: matter?.otherKeys ?? [],
    hadComments: above.hadComments || below.hadComments,
  }
}

const isNameOf = (title: string, fileName: string): boolean => {
  const stem = fileName.replace(/\.[^.]*$/, '')
  return [fileName, stem].some((name) => name.toLowerCase() === title.toLowerCase()) && /[-_.]/.test(title)
}

/** Empty lines and comments that are above everything else. */
function withoutComments(text: string): { text: string; hadComments: boolean } {
  const [above] = /^(?:\s*\n|<!--[\s\S]*?-->[ \t]*(?:\n|$))*/.exec(text)!
  return { text: text.slice(above.length), hadComments: above.includes('<!--') }
}

interface TopHeading {
  readonly title: string
  readonly length: number
}

/** The heading that a text begins with, if it is one of the whole text. */
function headingOf(text: string): TopHeading | null {
  const first =
    /^# +(.+?)(?: +#+)? *(?:\n+|$)/.exec(text) ?? /^(?![#>|\-*+] )([^\n]+)\n=+[ \t]*(?:\n+|$)/.exec(text)
  if (first) return asHeading(first)
  const second =
    /^## +(.+?)(?: +#+)? *(?:\n+|$)/.exec(text) ?? /^(?![#>|\-*+] )([^\n|]+)\n-+[ \t]*(?:\n+|$)/.exec(text)
  const bold = /^(?:\*\*([^*\n]+)\*\*|__([^_\n]+)__)[ \t]*(?:\n{2,}|$)/.exec(text)
  const found = second ?? bold
  return found && isAboveAll(text.slice(found[0].length)) ? asHeading(found) : null
}

/** What follows has headings, and none as high. */
const isAboveAll = (rest: string): boolean => {
  const shown = rest.replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
  return /^###+ /m.test(shown) && !/^##? |^[^\n]+\n(?:=+|--+)[ \t]*$/m.test(shown)
}

function asHeading([whole, one, other]: RegExpExecArray): TopHeading | null {
  const title = plain((one ?? other ?? '').replace(/\s*\{#[\w-]+\}\s*$/, ''))
  return title === null ? null : { title, length: whole.length }
}

const plain = (words: string): string | null =>
  words
    .replace(/\\([\\`*_[\]{}|#])/g, '$1')
    .replace(
      /[*`]{1,3}(?=\S)|(?<=\S)[*`]{1,3}|(?<![\p{L}\p{N}])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![\p{L}\p{N}])/gu,
      '',
    )
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, 200) || null
