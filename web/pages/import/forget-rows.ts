import { queries } from '../../client/queries.ts'

/** Once rows are planned anew, what was read of them before is over. */
export function forgetRows(): void {
  for (const name of ['listBulkChangeRows', 'summarizeBulkChange'])
    queries.removeQueries({ queryKey: [name] })
}
