/** How it ended what was asked for, on every page that tells of it. */
export const outcomes = { success: 'Done', denied: 'Refused', failed: 'Failed' }
