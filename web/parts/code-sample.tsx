import { Button, Code } from '@mantine/core'
import { useState } from 'react'
import { common } from '../words/common.ts'
import styles from './code-sample.module.css'

/** Lines for a terminal or a file, with a way to copy them. */
export function CodeSample({ label, children: text }: { label: string; children: string }) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), 1_500)
  }
  return (
    <div className={styles.sample}>
      <Code block tabIndex={0} role="region" aria-label={label} className={styles.code}>
        {text}
      </Code>
      <Button size="compact-xs" variant="default" className={styles.copy} onClick={copy}>
        {isCopied ? common.copied : common.copy}
      </Button>
    </div>
  )
}
