import { createCalendarFeed, endCalendarFeed, getCalendarFeed } from './calendar-feeds.ts'
import { listDeadlines } from './list-deadlines.ts'
import { listUndatedWork } from './list-undated.ts'

export const deadlineOperations = {
  listDeadlines,
  listUndatedWork,
  getCalendarFeed,
  createCalendarFeed,
  endCalendarFeed,
} as const
