import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

/* Links to pages of the app, held against its paths and what each of them takes. */

type Others<Props> = Omit<ComponentProps<'a'>, keyof Props>

export const TextLink = createLink((props: AnchorProps & Others<AnchorProps>) => (
  <Anchor size="sm" {...props} />
))

export const ButtonLink = createLink((props: ButtonProps & Others<ButtonProps>) => (
  <Button component="a" {...props} />
))
