export const unanswered = {
  title: 'No answer',
  detail: 'Plumbline did not answer. Nothing was lost: check the connection and try again.',
}

export const foreign = {
  title: 'No answer of Plumbline’s',
  detail: (status: number) =>
    `Something on the way answered in its place (${status}). Nothing was lost: try again, and if it stays so, tell whoever runs the service.`,
}

export const outdated = {
  title: 'There is a newer version',
  detail: 'This page is of the version before. Keep what you typed elsewhere, if you need it, and reload.',
}

/** Above every page of the app. */
export const reach = {
  away: 'Plumbline does not answer just now. What you see is from before, and what you type stays here. It goes on by itself once it is back.',
  tryNow: 'Try Now',
  outdated:
    'There is a newer version of Plumbline. Reload when it suits you: what is typed and not saved is lost.',
}

export const problems = {
  page: 'This page could not be shown',
  unexpected: 'Something went wrong on this page',
  reload: 'Reload',
  retry: 'Try again',
  requestId: 'Request',
  required: 'Fill this in.',
}

/** What was typed and is no value. */
export const unreadable = {
  date: 'This is no whole date: give day, month and year, or clear it.',
  time: 'This is no whole time: give hours and minutes, or clear it.',
  day: 'Give the day of this time, or clear the time.',
  years: 'Years run from 1900 to 2200.',
  number: 'This is no number.',
  other: 'This cannot be read: correct it, or clear it.',
}
