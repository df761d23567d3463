import type { DueListener } from './deadlines/due-listener.ts'

/** The one list of what is told when a deadline comes, in the order in which it is. */
export const dueListeners: readonly DueListener[] = []
