import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useContext } from 'react'
import { type Block, type Inline, readMarkdown } from '../../model/markdown.ts'
import { type NamedPicture, PICTURE, PictureHashes, Pictures } from '../client/pictures.ts'
import { ForeignText } from './foreign-text.tsx'
import styles from './markdown.module.css'

/** What somebody wrote in Markdown. It is drawn element by element: no markup of theirs reaches the page. */
export function Markdown({
  children: text,
  isDocument = false,
}: {
  children: string
  /** Whether its headings are those of a text of its own, and no words within another. */
  isDocument?: boolean
}) {
  return (
    <div className={isDocument ? styles.document : styles.text}>
      <Blocks blocks={readMarkdown(text)} isDocument={isDocument} />
    </div>
  )
}

function Blocks({ blocks, isDocument }: { blocks: readonly Block[]; isDocument: boolean }) {
  return blocks.map((block, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no names
    <Drawn key={at} block={block} isDocument={isDocument} />
  ))
}

function Drawn({ block, isDocument }: { block: Block; isDocument: boolean }) {
  switch (block.type) {
    case 'code':
      return (
        <pre className={styles.code}>
          <ForeignText>{block.text}</ForeignText>
        </pre>
      )
    case 'list': {
      const items = block.items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no names
        <li key={at}>
          <Item blocks={item} isDocument={isDocument} />
        </li>
      ))
      return block.isOrdered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>
    }
    case 'quote':
      return (
        <blockquote>
          <Blocks blocks={block.blocks} isDocument={isDocument} />
        </blockquote>
      )
    case 'table':
      return <Table block={block} />
    case 'rule':
      return <hr />
    case 'heading':
      return (
        <Heading level={block.level} isDocument={isDocument}>
          <Line inline={block.inline} />
        </Heading>
      )
    case 'paragraph':
      return (
        <p>
          <Line inline={block.inline} />
        </p>
      )
  }
}

/** Words alone stand in the line of their mark. */
function Item({ blocks, isDocument }: { blocks: readonly Block[]; isDocument: boolean }) {
  const [first, ...others] = blocks
  if (first?.type !== 'paragraph') return <Blocks blocks={blocks} isDocument={isDocument} />
  return (
    <>
      <Line inline={first.inline} />
      <Blocks blocks={others} isDocument={isDocument} />
    </>
  )
}

/** The page has its own heading of the first level. */
function Heading({
  level,
  isDocument,
  children,
}: {
  level: number
  isDocument: boolean
  children: ReactNode
}) {
  if (!isDocument)
    return (
      <p>
        <strong>{children}</strong>
      </p>
    )
  const Level = (['h2', 'h2', 'h3', 'h4', 'h5', 'h6'] as const)[level - 1]!
  return <Level>{children}</Level>
}

function Table({ block: { head, rows } }: { block: Extract<Block, { type: 'table' }> }) {
  return (
    <div className={styles.table}>
      <table>
        <thead>
          <tr>
            {head.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no names
              <th key={at} scope="col">
                <Line inline={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no names
            <tr key={at}>
              {row.map((cell, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no names
                <td key={place}>
                  <Line inline={cell} />
                </td>
              ))}
              {row.length < head.length && <td colSpan={head.length - row.length} />}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What stands in a line, or in a cell. */
export function Line({ inline }: { inline: readonly Inline[] }) {
  return inline.map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no names
    <Part key={at} part={part} />
  ))
}

function Part({ part }: { part: Inline }) {
  switch (part.type) {
    case 'text':
      return <ForeignText>{part.text}</ForeignText>
    case 'code':
      return (
        <code>
          <ForeignText>{part.text}</ForeignText>
        </code>
      )
    case 'strong':
      return (
        <strong>
          <Line inline={part.inline} />
        </strong>
      )
    case 'emphasis':
      return (
        <em>
          <Line inline={part.inline} />
        </em>
      )
    case 'mention':
      return (
        <span className={styles.mention}>
          @<bdi>{part.name}</bdi>
        </span>
      )
    case 'image':
      return <Shown {...part} />
    case 'link':
      return <Elsewhere {...part} />
  }
}

/** A picture, where the text around has some: else what it is called. */
export function Shown({ text, fileId, sha256 }: { text: string } & NamedPicture) {
  const of = useContext(Pictures)
  const hash = useContext(PictureHashes)?.get(fileId) ?? sha256
  const { data } = useQuery({ ...drawsPictures, enabled: of !== null })
  if (!of || !data) return <ForeignText>{text}</ForeignText>
  return <data.Picture text={text} picture={{ fileId, ...(hash && { sha256: hash }) }} of={of} />
}

/** Words that lead elsewhere say where. */
function Elsewhere({ text, url }: { text: string; url: string }) {
  const address = URL.canParse(url) ? new URL(url) : null
  if (!address || !/^https?:$/.test(address.protocol)) return <ForeignText>{url}</ForeignText>
  return (
    <>
      <Anchor href={address.href} target="_blank" rel="noreferrer nofollow" inherit>
        <ForeignText>{text}</ForeignText>
      </Anchor>
      {text !== url && <span className={styles.host}> ({address.host})</span>}
    </>
  )
}

/** Comes with the first picture. */
const drawsPictures = {
  queryKey: [PICTURE],
  queryFn: () => import('./picture.tsx'),
  staleTime: Infinity,
  structuralSharing: false,
}
