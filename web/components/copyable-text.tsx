import { Code, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { buttons } from '../copy/buttons.ts'

const WRAPPED = { whiteSpace: 'normal', overflowWrap: 'anywhere', boxDecorationBreak: 'clone' } as const

/**
 * An id, address or key prefix that copies itself on click.
 * @param isShort stays on one line
 * @param shown what stands for it where it is long; all of it is copied
 */
export function CopyableText({
  isShort,
  shown,
  children: text,
}: {
  isShort?: boolean
  shown?: string
  children: string
}) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  // Who speaks to it says what they see.
  const name = shown ? `${text}, ${shown}` : text
  return (
    <UnstyledButton onClick={copy} mih={24} aria-label={`${buttons.copy} ${name}`} title={buttons.copy}>
      <Code style={isShort ? { whiteSpace: 'nowrap' } : WRAPPED}>{shown ?? text}</Code>
      <span role="status">{copied ? ` ${buttons.copied}` : ''}</span>
    </UnstyledButton>
  )
}
