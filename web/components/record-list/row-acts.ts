import type { AnyRecord, Principal } from '../../client/records.ts'

/** What a row can ask for. The same object for as long as the list stands, so that rows are not drawn again. */
export interface RowActs {
  select: (index: number, withRange: boolean) => void
  edit: (id: string | null, field?: string) => void
  setState: (record: AnyRecord, field: string, state: string) => void
  setPrincipal: (record: AnyRecord, field: string, principal: Principal | null) => void
  visit: (index: number) => void
  open: (path: string) => void
}
