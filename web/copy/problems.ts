import { countWord } from './counts.ts'

export const unanswered = {
  title: 'No answer',
  detail: 'Plumbline did not answer. Nothing was lost: check the connection and try again.',
}

export const foreign = {
  title: 'The answer did not come from Plumbline',
  detail: (status: number) =>
    `A proxy or another server answered instead (${status}). Nothing was lost: try again, and if it happens again, tell whoever runs the service.`,
}

export const outdated = {
  title: 'There is a newer version',
  detail: 'This page belongs to an older version. Copy what you typed if you need it, then reload.',
}

/** Of what somebody else changed while it was looked at. */
export const meanwhile = {
  title: 'Somebody changed this in the meantime',
  detail: 'What you see now is up to date. Check it, then try again.',
  over: (title: string, state: string) =>
    `Somebody changed this in the meantime (${title}: ${state}), so it can no longer be done.`,
}

/** Above every page of the app. */
export const reach = {
  away: 'Plumbline is not answering. What you see may be out of date, and what you type is kept. The page continues once Plumbline is back.',
  tryNow: 'Try now',
  outdated: 'There is a newer version of Plumbline. Reload when convenient: unsaved changes are lost.',
}

export const problems = {
  page: 'This page could not be shown',
  invalid: 'Correct this first',
  unexpected: 'Something went wrong on this page',
  reload: 'Reload',
  retry: 'Try again',
  requestId: 'Request',
  required: 'Fill this in.',
}

/** What was typed and is no value. */
export const unreadable = {
  date: 'Enter a complete date (day, month and year), or clear it.',
  time: 'Enter a complete time (hours and minutes), or clear it.',
  day: 'Enter a date for this time, or clear the time.',
  years: 'Enter a year from 1900 to 2200.',
  number: 'Enter a number.',
  whole: (min: number, max: number) => `Enter a whole number from ${countWord(min)} to ${countWord(max)}.`,
  other: 'This is not valid: correct it, or clear it.',
}
