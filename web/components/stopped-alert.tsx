import { Alert } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { stopped } from '../copy/stopped.ts'

/** Tells whoever was sent back here from single sign-on why (docs/sign-in.md). */
export function StoppedAlert({ title }: { title: string }) {
  const code = useLocation({ select: ({ hash }) => new URLSearchParams(hash).get('error') })
  if (code === null || !Object.hasOwn(stopped.codes, code)) return null
  return (
    <Alert color="red" role="alert" title={title}>
      {stopped.codes[code as keyof typeof stopped.codes]}
    </Alert>
  )
}
