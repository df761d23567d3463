/** What the page of vendors says that were found and wait for somebody. */
export const discovered = {
  title: 'Discovered vendors',
  text: 'Found by sign-in, expenses or another source, and not yet looked at. Take one up, merge it into one you know, or dismiss it.',
  label: 'Discovered vendors',
  columns: { name: 'Vendor', by: 'Discovered by', website: 'Website', at: 'Found', acts: 'What to do' },
  none: {
    title: 'Nothing waits',
    text: 'What a program adds with discoveredBy is listed here until somebody looks at it.',
  },
  register: 'All that were discovered',
}
