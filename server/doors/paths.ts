import { Refusal } from '../refusal.ts'
import { lazily } from './lazily.ts'

/**
 * Which methods there are at which path: what a 405 says, for requests that no route takes.
 *
 * A path that is written out is its own, and not one of those with a name in its place: `/v1/risks/summary` is no
 * risk. A router looks among the routes of one method only, and would take it for one where the method has no better.
 */
export class Paths {
  #known = new Map<string, { readonly pattern: RegExp; methods: Set<string>; varying: number }>()

  /** @param url of a route, with `:name` for what varies */
  add(method: string | readonly string[], url: string): void {
    let entry = this.#known.get(url)
    if (!entry) {
      const pattern = lazily(() => patternOf(url))
      entry = {
        // Made for the first request that no route takes: few services ever have one.
        get pattern() {
          return pattern()
        },
        methods: new Set(),
        varying: url.match(/:\w+/g)?.length ?? 0,
      }
      this.#known.set(url, entry)
    }
    for (const one of [method].flat()) entry.methods.add(one)
  }

  /** @param url of a request; its query does not matter */
  methodsAt(url: string): string[] {
    const [path = ''] = url.split('?', 1)
    const there = [...this.#known.values()].filter(({ pattern }) => pattern.test(path))
    const fewest = Math.min(...there.map(({ varying }) => varying))
    return [
      ...new Set(there.filter(({ varying }) => varying === fewest).flatMap(({ methods }) => [...methods])),
    ].sort()
  }

  /** What is said to a request that no route takes, and its `Allow`. */
  refuse(url: string): { refusal: Refusal; allow?: string } {
    const methods = this.methodsAt(url)
    if (methods.length === 0)
      return { refusal: new Refusal('not_found', 'Nothing is at this path: GET /docs lists what there is.') }
    const allow = methods.join(', ')
    return {
      refusal: new Refusal('method_not_allowed', `This path takes ${allow}: use one of these methods.`),
      allow,
    }
  }

  /** The paths that are written out, and the methods that only a route with a name in their place would take. */
  shadowing(): { url: string; methods: string[] }[] {
    const withNames = [...this.#known].filter(([, { varying }]) => varying > 0)
    // Each start of the service comes by here: only what begins alike is held against a pattern.
    const byBeginning = Map.groupBy(withNames, ([url]) => url.slice(0, url.indexOf(':')))
    return [...this.#known].flatMap(([url, { methods, varying }]) => {
      if (varying > 0) return []
      const others = [...url].flatMap((_, at) => byBeginning.get(url.slice(0, at)) ?? [])
      const taken = others.flatMap(([, other]) => (other.pattern.test(url) ? [...other.methods] : []))
      const missing = new Set(taken).difference(methods)
      return missing.size > 0 ? [{ url, methods: [...missing] }] : []
    })
  }
}

function patternOf(url: string): RegExp {
  const source = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')
  return new RegExp(`^${source}$`)
}
