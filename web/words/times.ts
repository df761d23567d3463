export const times = {
  justNow: 'just now',
  timeOf: (title: string) => `${title}, time`,
  dayAlone: 'Without a time, it is the start of that day in your time zone.',
}
