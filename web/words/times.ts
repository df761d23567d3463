export const times = {
  justNow: 'just now',
  timeOf: (title: string) => `${title}, time`,
  dayAlone: (zone: string) => `Without a time, it is the start of that day. Time zone: ${zone}.`,
}
