import type { Rolldown } from 'vite'

/*
 * Which modules share a file. Left to itself, the bundler makes a file of every set of modules that the same pages
 * need: a register was 88 files, most of them under 2 KB, and each costs a request. So what pages have in common is
 * gathered into the few files below, each of which loads with what comes before it:
 *
 *   react, components, query, app             every page, that of guests too
 *   router, main                              every page but that of guests
 *   entrance                                  the pages before sign-in
 *   reading                                   what many pages share with one before sign-in
 *   inner                                     the frame and the overview, with the index of kinds
 *   work                                      pages that open menus, dialogs and pickers
 *   choices                                   boxes and buttons to choose by, which some pages before sign-in have too
 *   records                                   register, record and matrix
 *   webhooks                                  the pages of endpoints and deliveries
 *
 * A file may import one that stands before it and none that stands after, else each would wait for the other; a test
 * holds it, and how much each page loads. What nobody shares stays with its page.
 *
 * Our own modules are placed by the pages that reach them. Those of libraries come through one index each, which
 * hides who uses them, and are placed by name.
 */

type Modules = Pick<Rolldown.PluginContext, 'getModuleInfo'>

/** @returns the file that a module goes to; null leaves it to the bundler */
export function chunkOf(id: string, modules: Modules): string | null {
  // What loads a file later is in all documents, too small to be a request of its own.
  if (id.includes('preload-helper')) return 'app'
  if (id.startsWith('\0')) return null
  if (id.includes('/node_modules/')) return LIBRARIES.find(([, place]) => place.test(id))?.[0] ?? null
  const { ofDocument, entrances, inner: pages } = reachedFrom(id, modules)
  const inner = new Set([...pages].filter((page) => !page.includes(OF_UPLOAD)))
  // The script that sets the colour scheme stands alone, so what it shares is not the app's.
  if (named(ofDocument, 'scheme')) return null
  // What one document has to itself goes with its entry. No other may load that: it would run it.
  const isGuests = named(ofDocument, 'guest') || named(entrances, 'pages/guest')
  if (named(ofDocument, 'index')) return isGuests ? 'app' : 'main'
  if (isGuests) return inner.size > 2 || entrances.size > 1 ? 'app' : null
  if (entrances.size > 1) return 'entrance'
  if (entrances.size > 0) {
    if (named(inner, 'components/frame') || named(inner, 'pages/overview')) return 'entrance'
    return inner.size > 2 ? 'reading' : null
  }
  if (inner.size < 2) return null
  if (named(inner, 'components/frame') || named(inner, 'pages/overview')) return 'inner'
  if (inner.size > 2 && [...inner].every((page) => OF_WEBHOOKS.test(page))) return 'webhooks'
  if (inner.size > 2) return [...inner].every((page) => page.includes(OF_FRAMEWORKS)) ? null : 'work'
  return named(inner, 'pages/register') && named(inner, 'pages/record') ? 'records' : null
}

/** Whose pages are many: what they share stays with them. */
const OF_FRAMEWORKS = '/web/pages/frameworks/'

/** What only these share is not loaded by any other. */
const OF_WEBHOOKS = /\/web\/pages\/settings\/(webhook|deliver)/

/** Opened once in a while: it loads what register and record share, and makes no other page load more. */
const OF_UPLOAD = '/web/pages/policies/upload.tsx'

const component = (names: string) => `@mantine/core/esm/components/(${names})/`
const hook = (names: string) => `@mantine/hooks/esm/(.*/)?(use-)?(${names})/`

/** The first that fits. */
const LIBRARIES = (
  [
    ['react', 'node_modules/(react|react-dom|scheduler|use-sync-external-store)/'],
    ['query', '@tanstack/(query-core|react-query)/'],
    ['router', '@tanstack/'],
    ['components', 'node_modules/clsx/|@mantine/core/esm/core/'],
    [
      'components',
      component(
        'ActionIcon|Alert|Anchor|Button|CloseButton|Code|Divider|Group|Input|InputBase|Loader|Paper|PasswordInput|Stack|Text|TextInput|Title|Transition|UnstyledButton|VisuallyHidden',
      ),
    ],
    [
      'components',
      hook(
        'color-scheme|did-update|id|isomorphic-effect|media-query|merged-ref|random-id|reduced-motion|uncontrolled',
      ),
    ],
    ['choices', `${component('Checkbox|Fieldset|Radio')}|esm/utils/(InlineInput|InputsGroupFieldset)/`],
    ['inner', component('Accordion|Badge|SimpleGrid')],
    [
      'work',
      component(
        'Combobox|Drawer|Floating|FloatingArrow|FocusTrap|Menu|Modal|ModalBase|NativeSelect|OptionalPortal|Overlay|Popover|Portal|ScrollArea|Select|Tabs|Textarea|Tooltip',
      ),
    ],
    ['work', '@floating-ui/|@mantine/core/esm/utils/Floating/'],
    ['work', 'node_modules/(react-remove-scroll|react-remove-scroll-bar|react-style-singleton|aria-hidden)/'],
    ['work', 'node_modules/(tslib|use-callback-ref|use-sidecar)/'],
    [
      'work',
      hook(
        'callback-ref|click-outside|clipboard|debounced-callback|debounced-value|focus-return|focus-trap|long-press|timeout',
      ),
    ],
    ['inner', '@mantine/hooks/|@tabler/'],
  ] as const
).map(([name, place]) => [name, new RegExp(place)] as const)

interface Reached {
  /** What the document asks for at once. */
  ofDocument: Set<string>
  /** Pages before sign-in. */
  entrances: Set<string>
  /** Pages behind it, and their frame. */
  inner: Set<string>
}

/** Who needs this module as soon as they are loaded. */
function reachedFrom(id: string, modules: Modules): Reached {
  const reached: Reached = { ofDocument: new Set(), entrances: new Set(), inner: new Set() }
  const seen = new Set([id])
  for (const one of seen) {
    const module = modules.getModuleInfo(one)
    if (!module) continue
    if (module.isEntry) reached.ofDocument.add(one)
    for (const importer of module.dynamicImporters) {
      if (importer.endsWith('/web/inner-pages.ts')) reached.inner.add(one)
      else if (importer.endsWith('/web/routes.tsx') && !one.endsWith('/web/inner-pages.ts'))
        reached.entrances.add(one)
      else if (importer.endsWith('/web/pages/guest.tsx')) reached.entrances.add(importer)
    }
    for (const importer of module.importers) seen.add(importer)
  }
  return reached
}

const named = (ids: Set<string>, name: string) =>
  [...ids].some((id) => /\.(tsx?|html)$/.test(id) && id.includes(`/web/${name}.`))
