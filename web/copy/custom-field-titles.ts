/** What custom fields are called among others; apart from their input, since every page has it. */
export const customFieldTitles = { section: 'Custom fields', others: 'Other custom fields' }

/** What those fields are for that every record has, as people are told it in the app. */
export const commonFieldTexts: Readonly<Record<string, string>> = {
  externalId: 'Its id in another system, such as the one it was imported from; each id once',
  customFields: 'Facts of your own, each by a name',
}
