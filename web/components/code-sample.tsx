import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { buttons } from '../copy/buttons.ts'
import styles from './code-sample.module.css'

/** Text for somewhere else, with what it is for and a button that copies it. */
export function CodeSample({
  label,
  autoFocus,
  children: text,
}: {
  label: string
  autoFocus?: boolean
  children: string
}) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), 1_500)
  }
  const Icon = isCopied ? IconCheck : IconCopy
  return (
    <figure className={styles.sample}>
      <figcaption className={styles.head}>
        {label}
        <Button
          variant="subtle"
          size="compact-sm"
          flex="none"
          leftSection={<Icon size={14} aria-hidden />}
          aria-label={`${buttons.copy} ${label}`}
          data-autofocus={autoFocus || undefined}
          onClick={copy}
        >
          <span aria-live="polite">{isCopied ? buttons.copied : buttons.copy}</span>
        </Button>
      </figcaption>
      <pre className={styles.text}>{text}</pre>
    </figure>
  )
}
