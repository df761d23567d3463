export const unanswered = {
  title: 'No answer',
  detail: 'Plumbline did not answer. Nothing was lost: check the connection and try again.',
}

export const problems = {
  unexpected: 'Something went wrong on this page',
  reload: 'Reload',
  retry: 'Try again',
  requestId: 'Request',
  required: 'Fill this in.',
}
