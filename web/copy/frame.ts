import { PAGE_GROUPS, PAGE_NAMES } from '../../model/page-names.ts'

export const frame = {
  navigation: 'Pages',
  openNavigation: 'Open navigation',
  closeNavigation: 'Close navigation',
  narrowNavigation: 'Collapse',
  widenNavigation: 'Expand',
  skip: 'Skip to content',
  groups: PAGE_GROUPS,
  modules: {
    risk: 'Risk',
    compliance: 'Compliance',
    suppliers: 'Suppliers',
    assets: 'Assets',
    people: 'People',
    privacy: 'Privacy',
    ai: 'AI',
  },
  ...PAGE_NAMES,
  organization: (name: string) => `Organization: ${name}`,
  changeOrganization: 'Change organization',
  notChanged: (name: string) => ({
    title: 'The organization was not changed',
    text: `The change did not go through: you are still in ${name}.`,
    again: 'Try again',
    stay: 'Stay here',
  }),
  account: (name: string) => `Account of ${name}`,
  scheme: { title: 'Colours', light: 'Light', dark: 'Dark', auto: 'Same as system' },
}

export const signOut = {
  action: 'Sign out',
  failed: {
    title: 'You are still signed in',
    text: 'Signing out did not go through. Until it does, anyone who uses this browser is signed in as you.',
    again: 'Sign out',
    stay: 'Stay signed in',
  },
}
