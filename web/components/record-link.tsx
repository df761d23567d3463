import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { KindEntry } from '../../model/described-kind.ts'

/** The way to a record, or to all of its kind. */
export function RecordLink({
  kind,
  id,
  title,
  children,
}: {
  kind: KindEntry
  id?: string
  title?: string
  children: ReactNode
}) {
  const path = id === undefined ? `/${kind.page}` : `/${kind.page}/${id}`
  return (
    <Anchor component={Link} to={path as '/'} size="sm" {...(title ? { title } : {})}>
      {children}
    </Anchor>
  )
}
