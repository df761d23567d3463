import { createContext, Fragment, type ReactNode, useContext } from 'react'
import { Pictures, type TextOfPictures } from '../../client/pictures.ts'
import { ForeignText } from '../../components/foreign-text.tsx'
import { Shown } from '../../components/markdown.tsx'
import type { Mark } from './plain-words.ts'
import type { ReadWords } from './words-as-read.ts'

/** Of what is compared, whose pictures each of the two texts shows. */
export interface PicturesCompared {
  readonly before: TextOfPictures
  readonly after: TextOfPictures
}

export const Compared = createContext<PicturesCompared | null>(null)

/** What shows pictures of the text that it stands in. */
export function OfVersion({ isGone = false, children }: { isGone?: boolean; children: ReactNode }) {
  const compared = useContext(Compared)!
  return <Pictures value={isGone ? compared.before : compared.after}>{children}</Pictures>
}

/** Words of both texts, those of one alone marked as such. */
export const Marked = ({ words }: { words: readonly ReadWords[] }) =>
  words.map(({ type, text, runs = [{ text, marks: [] }] }, at) => {
    const some = runs.map(({ text, marks }, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: words have no names
      <Looking key={at} marks={marks}>
        <Plain text={text} isGone={type === 'removed'} />
      </Looking>
    ))
    const As = AS[type]
    // biome-ignore lint/suspicious/noArrayIndexKey: words have no names
    return <As key={at}>{some}</As>
  })

const AS = { same: Fragment, added: 'ins', removed: 'del' } as const

function Looking({ marks: [mark, ...others], children }: { marks: readonly Mark[]; children: ReactNode }) {
  if (!mark) return children
  const As = LOOKS[mark]
  return (
    <As>
      <Looking marks={others}>{children}</Looking>
    </As>
  )
}

const LOOKS = { strong: 'strong', emphasis: 'em', code: 'code' } as const

/** A picture in the words of a text, which the page has read as such: alike in what is compared word by word. */
const PICTURE = /(fil_[0-9a-z]{26})/

function Plain({ text, isGone }: { text: string; isGone: boolean }) {
  const parts = text.split(PICTURE)
  if (parts.length === 1) return <ForeignText>{text}</ForeignText>
  return parts.map((part, at) =>
    at % 2 === 1 ? (
      <OfVersion key={part} isGone={isGone}>
        <Shown text={part} fileId={part} />
      </OfVersion>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: words have no names
      <ForeignText key={at}>{part}</ForeignText>
    ),
  )
}
