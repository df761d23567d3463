import type { Row } from '../../../client/use-pages.ts'

export type Entry = Row<'listAuditLog'>
