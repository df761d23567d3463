/** A browser as far as redirects and cookies go: no page is drawn, no script runs. */
export class BrowserJar {
  readonly #cookies = new Map<string, { value: string; path: string }>()
  /** The address that it calls from, as a proxy tells a service that trusts it. */
  from: string | null = null

  /** Sends a request with the cookies of its path and keeps those that come back; redirects are handed over. */
  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    const cookie = this.cookiesFor(new URL(url).pathname)
    if (cookie) headers.set('cookie', cookie)
    if (this.from) headers.set('x-forwarded-for', this.from)
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) this.#take(line)
    return response
  }

  set(name: string, value: string, path = '/'): void {
    this.#cookies.set(`${path} ${name}`, { value, path })
  }

  remove(name: string, path = '/'): void {
    this.#cookies.delete(`${path} ${name}`)
  }

  cookiesFor(pathname: string): string {
    const fitting = [...this.#cookies].filter(
      ([, { path }]) => path === '/' || pathname === path || pathname.startsWith(`${path}/`),
    )
    return fitting.map(([key, { value }]) => `${key.slice(key.indexOf(' ') + 1)}=${value}`).join('; ')
  }

  #take(line: string): void {
    const [pair = '', ...attributes] = line.split(/; */)
    const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
    const of = (wanted: string) =>
      attributes.find((one) => one.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1)
    const path = of('path') ?? '/'
    const isOver = value === '' || new Date(of('expires') ?? '2999-01-01').getTime() < Date.now()
    if (isOver) this.remove(name, path)
    else this.set(name, value, path)
  }
}
