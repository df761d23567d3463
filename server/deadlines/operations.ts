import { createCalendarFeed, endCalendarFeed, getCalendarFeed } from './calendar-feeds.ts'
import { listDeadlines } from './list-deadlines.ts'

export const deadlineOperations = {
  listDeadlines,
  getCalendarFeed,
  createCalendarFeed,
  endCalendarFeed,
} as const
