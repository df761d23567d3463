import type { Noun } from '../../model/kind.ts'
import { PAGES } from '../../model/pages.ts'

/** What a register says that has nothing to show. */
export const emptyRegister = {
  empty: {
    title: (many: string) => `No ${many} yet`,
    text: (noun: Noun) => `Add ${first(noun)} here.`,
    useApi: 'Use the API',
    viewer: 'Editors and admins add them.',
    key: 'PLUMBLINE_KEY holds an API key with the scope',
  },
  nothing: {
    title: 'No matches',
    text: 'Nothing matches all of these filters and search words.',
    clear: 'Clear filters and search',
  },
  /** By kind, where there are better ways to begin than by hand: pages, by what a button says. */
  begin: {
    policy: [
      { title: 'Start from a template', href: PAGES.policyTemplates },
      { title: 'Upload files', href: PAGES.policyUpload },
    ],
  } as Readonly<Record<string, readonly { readonly title: string; readonly href: string }[]>>,
}

/** Of what is not counted there is no first. */
const first = ({ one, article }: Noun): string => (article === 'none' ? one : `the first ${one}`)
