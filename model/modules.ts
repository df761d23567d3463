/** The areas of compliance, in the order of the navigation. */
export const MODULES = ['risk', 'compliance', 'suppliers', 'assets', 'people', 'privacy', 'ai'] as const
export type Module = (typeof MODULES)[number]
