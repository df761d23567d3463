export const organization = {
  title: 'Organization',
  text: 'What members and programs see of it, and how times, numbers and amounts are written.',
  submit: 'Save changes',
  saved: 'Saved',
  unset: 'Not set',
  hints: {
    size: 'Number of people who work there.',
    locale: 'How dates and numbers are written. Texts are in English.',
    timezone: 'In which times are shown, and days begin.',
    currency: 'For amounts, until one says otherwise.',
    securityContact: 'Where people report security weaknesses.',
  } as Readonly<Record<string, string>>,
  sizes: {
    '1_10': '1 to 10',
    '11_50': '11 to 50',
    '51_200': '51 to 200',
    '201_1000': '201 to 1,000',
    '1001_5000': '1,001 to 5,000',
    over_5000: 'Over 5,000',
  } as Readonly<Record<string, string>>,
  features: 'Features',
  id: 'Id',
}
