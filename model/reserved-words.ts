import { PAGES } from './pages.ts'

/** Below this lie the scripts and styles of the web app. */
export const BUILT = 'built'

/** First words of the paths that programs ask for: a browser is refused there in the same form. */
export const OF_PROGRAMS: readonly string[] = ['v1', 'web', 'oauth', BUILT, '.well-known']

/** Pages that stand with those of a kind. */
const OF_KINDS: ReadonlySet<string> = new Set([
  PAGES.riskMatrix,
  PAGES.discoveredVendors,
  PAGES.evidenceHub,
  PAGES.frameworkLibrary,
  PAGES.frameworkComparison,
  PAGES.frameworkStatement,
  PAGES.policyTemplates,
  PAGES.policyUpload,
  PAGES.frameworkMigration,
])

/** First words of all paths but those of kinds, none of which may have its pages there; some are pages of one. */
export const RESERVED: ReadonlySet<string> = new Set([
  ...OF_PROGRAMS,
  ...['docs', 'download', 'healthz', 'ical', 'readyz', 'unsubscribe'],
  ...Object.values(PAGES).flatMap((path) => (OF_KINDS.has(path) ? [] : path.split('/')[1]!)),
])
