import type { DueListener } from './deadlines/due-listener.ts'
import { makeNextWhenDue } from './deadlines/next-when-due.ts'
import { tellOfDue } from './notices/due.ts'

/** The one list of what is told when a deadline comes, in the order in which it is. */
export const dueListeners: readonly DueListener[] = [tellOfDue, makeNextWhenDue]
