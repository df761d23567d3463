import { Anchor } from '@mantine/core'
import { type Block, type Inline, readMarkdown } from '../client/markdown.ts'
import { ForeignText } from './foreign-text.tsx'
import styles from './markdown.module.css'

/** What somebody wrote in Markdown. It is drawn element by element: no markup of theirs reaches the page. */
export function Markdown({ children: text }: { children: string }) {
  return (
    <div className={styles.text}>
      {readMarkdown(text).map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no names
        <Drawn key={at} block={block} />
      ))}
    </div>
  )
}

function Drawn({ block }: { block: Block }) {
  switch (block.type) {
    case 'code':
      return (
        <pre className={styles.code}>
          <ForeignText>{block.text}</ForeignText>
        </pre>
      )
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul'
      return (
        <List>
          {block.items.map((item, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no names
            <li key={at}>
              <Line inline={item} />
            </li>
          ))}
        </List>
      )
    }
    case 'quote':
      return (
        <blockquote>
          <Line inline={block.inline} />
        </blockquote>
      )
    case 'heading':
      return (
        <p>
          <strong>
            <Line inline={block.inline} />
          </strong>
        </p>
      )
    case 'paragraph':
      return (
        <p>
          <Line inline={block.inline} />
        </p>
      )
  }
}

function Line({ inline }: { inline: readonly Inline[] }) {
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
    case 'link':
      return <Elsewhere {...part} />
  }
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
