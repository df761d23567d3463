import { Code, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { buttons } from '../words/buttons.ts'

const WRAPPED = { whiteSpace: 'normal', overflowWrap: 'anywhere', boxDecorationBreak: 'clone' } as const

/**
 * An id, address or key prefix that copies itself on click.
 * @param isShort stays on one line
 */
export function CopyableText({ isShort, children: text }: { isShort?: boolean; children: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  return (
    <UnstyledButton onClick={copy} mih={24} aria-label={`${buttons.copy} ${text}`} title={buttons.copy}>
      <Code style={isShort ? { whiteSpace: 'nowrap' } : WRAPPED}>{text}</Code>
      <span role="status">{copied ? ` ${buttons.copied}` : ''}</span>
    </UnstyledButton>
  )
}
