import { listDeadlines } from './list-deadlines.ts'

export const deadlineOperations = { listDeadlines } as const
