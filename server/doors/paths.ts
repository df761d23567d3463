/** Which methods there are at which path: what a 405 says, for requests that no route takes. */
export class Paths {
  #known = new Map<string, { pattern: RegExp; methods: Set<string> }>()

  /** @param url of a route, with `:name` for what varies */
  add(method: string | readonly string[], url: string): void {
    let entry = this.#known.get(url)
    if (!entry) {
      const source = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')
      entry = { pattern: new RegExp(`^${source}$`), methods: new Set() }
      this.#known.set(url, entry)
    }
    for (const one of [method].flat()) entry.methods.add(one)
  }

  /** @param url of a request; its query does not matter */
  methodsAt(url: string): string[] {
    const [path = ''] = url.split('?', 1)
    const methods = [...this.#known.values()].flatMap((entry) =>
      entry.pattern.test(path) ? [...entry.methods] : [],
    )
    return [...new Set(methods)].sort()
  }
}
