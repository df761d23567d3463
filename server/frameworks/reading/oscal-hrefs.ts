import { posix } from 'node:path'

/*
 * Finds the file that an address names among the given files. Nothing is fetched: of an address on the web, the end of the
 * path is compared. Files are the same document in another form where only their endings differ.
 */

interface Named {
  readonly name: string
}

/** @returns the document, or several where the address may be any of these */
export function findDocument<Document extends Named>(
  hrefs: readonly string[],
  from: Named,
  given: readonly Document[],
): Document[] {
  const others = given.filter((one) => one.name !== from.name)
  for (const href of hrefs) {
    const path = pathOf(href)
    if (!isAbsolute(href)) {
      const wanted = posix.normalize(posix.join(posix.dirname(from.name), path))
      const exact = others.filter(({ name }) => posix.normalize(name) === wanted)
      if (exact.length > 0) return exact.slice(0, 1)
    }
  }
  let [best, found]: [number, Document[]] = [0, []]
  for (const href of hrefs)
    for (const one of others) {
      const score = scoreOf(pathOf(href), one.name)
      if (score > best) [best, found] = [score, [one]]
      else if (score === best && score > 0 && !found.includes(one)) found.push(one)
    }
  return found
}

const isAbsolute = (href: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(href)

function pathOf(href: string): string {
  const bare = href.replace(/[?#].*$/, '').replace(/^[a-z][a-z0-9+.-]*:(\/\/)?/i, '')
  try {
    return decodeURIComponent(bare)
  } catch {
    return bare
  }
}

/** How many names of a path two files share from their end, and as a fraction, how alike the endings are. */
function scoreOf(path: string, name: string): number {
  const [one, other] = [path, name].map((each) =>
    each
      .split('/')
      .filter((step) => step !== '..' && step !== '.')
      .reverse(),
  )
  const [last, file] = [one![0] ?? '', other![0] ?? '']
  if (last === '' || stemOf(last) !== stemOf(file)) return 0
  let shared = 1
  while (shared < one!.length && shared < other!.length && one![shared] === other![shared]) shared += 1
  return shared + (last === file ? 0.5 : last.replace(ENDING, '') === file.replace(ENDING, '') ? 0.25 : 0)
}

const ENDING = /\.(json|ya?ml|xml)$/i
const stemOf = (file: string): string => file.replace(ENDING, '').replace(/-min$/, '').toLowerCase()
