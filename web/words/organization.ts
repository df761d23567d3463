export const organization = {
  title: 'Organization',
  text: 'What programs read of it, and how dates and amounts are meant.',
  submit: 'Save Changes',
  saved: 'Saved',
  unset: 'Not set',
  hints: {
    country: 'Two letters, as AT or US.',
    locale: 'A language tag, as en or de-AT.',
    timezone: 'As Europe/Vienna.',
    currency: 'Three letters, as EUR.',
    securityContact: 'Where somebody who found a weakness writes to.',
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
