import { PAGES } from './pages.ts'

/** Below this lie the scripts and styles of the web app. */
export const BUILT = 'built'

/** First words of the paths that programs ask for: a browser is refused there in the same form. */
export const OF_PROGRAMS: readonly string[] = ['v1', 'web', 'oauth', BUILT, '.well-known']

/** First words of all paths but those of kinds, none of which may have its pages there; the matrix is a page of one. */
export const RESERVED: ReadonlySet<string> = new Set([
  ...OF_PROGRAMS,
  ...['docs', 'healthz', 'readyz'],
  ...Object.values(PAGES).flatMap((path) => (path === PAGES.riskMatrix ? [] : path.split('/')[1]!)),
])
