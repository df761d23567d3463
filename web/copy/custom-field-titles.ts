/** What custom fields are called among others; apart from their input, since every page has it. */
export const customFieldTitles = { section: 'Custom fields', others: 'Other custom fields' }
