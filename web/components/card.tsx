import { Paper, type PaperProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { Section } from './section.tsx'

/** A part of a page in a frame of its own. */
export function Card({
  title,
  text,
  action,
  children,
  ...rest
}: PaperProps & { title: string; text?: string; action?: ReactNode; children?: ReactNode }) {
  return (
    <Paper withBorder p="md" miw={0} {...rest}>
      <Section title={title} {...(text ? { text } : {})} action={action}>
        {children}
      </Section>
    </Paper>
  )
}
