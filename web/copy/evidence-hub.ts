/** What the page says that shows where evidence is missing, waits or runs out. */
export const evidenceHub = {
  title: 'Evidence at a glance',
  text: 'What you are asked for, what waits for a decision, and where proof is missing or about to expire.',
  all: 'All evidence',
  list: 'Open as a list',
  listOf: (title: string) => `Open as a list: ${title}`,
  mine: {
    title: 'Asked of you',
    text: 'What somebody has requested from you.',
    none: 'Nobody is asking you for evidence.',
  },
  review: {
    title: 'For you to review',
    text: 'What was sent to you to approve or reject.',
    none: 'Nothing waits for your review.',
  },
  requested: {
    title: 'Requested',
    text: 'What has been requested and not handed in yet.',
    none: 'Nothing is requested.',
  },
  expiring: {
    title: 'Expiring',
    text: 'Approved evidence that expires within 60 days.',
    none: 'No approved evidence expires within 60 days.',
  },
  unproven: {
    title: 'Unproven controls',
    text: 'Controls that count as implemented without approved evidence that is still valid.',
    none: 'Every implemented control is proven.',
  },
  columns: { record: 'Record', from: 'From', owner: 'Owner', by: 'By', expires: 'Expires', why: 'Why' },
}
