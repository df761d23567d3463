import { createContext, type ReactNode, useContext } from 'react'
import { Pictures } from '../../client/pictures.ts'
import { ForeignText } from '../../components/foreign-text.tsx'
import { Shown } from '../../components/markdown.tsx'
import type { Words } from './compare.ts'

/** Which versions are compared: the pictures of what is gone are held by the one before. */
export const Compared = createContext<{ before: string; after: string } | null>(null)

/** What shows pictures of the version that it stands in. */
export function OfVersion({ isGone = false, children }: { isGone?: boolean; children: ReactNode }) {
  const compared = useContext(Compared)!
  return (
    <Pictures value={{ of: 'version', id: isGone ? compared.before : compared.after }}>{children}</Pictures>
  )
}

/** Words of both texts, those of one alone marked as such. */
export const Marked = ({ words }: { words: readonly Words[] }) =>
  words.map(({ type, text }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: words have no names
    <Some key={at} type={type} text={text} />
  ))

/** A picture in the words of a text, which the page has read as such: alike in what is compared word by word. */
const PICTURE = /(fil_[0-9a-z]{26})/

function Some({ type, text }: Words) {
  const parts = text.split(PICTURE)
  const words =
    parts.length === 1 ? (
      <ForeignText>{text}</ForeignText>
    ) : (
      parts.map((part, at) =>
        at % 2 === 1 ? (
          <OfVersion key={part} isGone={type === 'removed'}>
            <Shown text={part} fileId={part} />
          </OfVersion>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: words have no names
          <ForeignText key={at}>{part}</ForeignText>
        ),
      )
    )
  return type === 'added' ? <ins>{words}</ins> : type === 'removed' ? <del>{words}</del> : words
}
