import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'

/** A page of another site, with what such a page can try on ours. */
export interface ForeignPage {
  readonly url: string
  close(): void
}

export async function serveForeignPage(): Promise<ForeignPage> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(PAGE)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => server.close(),
  }
}

/** Sends requests with the cookie. @returns those whose answer the page could read */
export const fetchAll = (page: Page, requests: readonly ForeignRequest[]): Promise<string[]> =>
  page.evaluate<string[]>(`fetchAll(${JSON.stringify(requests)})`)

export interface ForeignRequest {
  url: string
  method: string
  mode?: 'cors' | 'no-cors'
  type?: string
  body?: string
}

/** Sends a form of one field, and goes where it leads. @returns the status */
export async function submitForm(page: Page, url: string, encoding: string, name: string): Promise<number> {
  const answered = page.waitForResponse((response) => response.url() === url)
  await page.evaluate(`submitForm(${JSON.stringify([url, encoding, name])})`)
  const status = (await answered).status()
  await page.waitForURL(url)
  return status
}

export const frame = (page: Page, url: string): Promise<unknown> =>
  page.evaluate(`frame(${JSON.stringify(url)})`)

export const openWindow = (page: Page, url: string): Promise<unknown> =>
  page.evaluate(`openWindow(${JSON.stringify(url)})`)

/** Whether the window that was opened is out of reach. */
export const isOutOfReach = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('opened === null || opened.closed')

const PAGE = `<!doctype html><title>Elsewhere</title><h1>Elsewhere</h1><script>
let opened = null
async function fetchAll(requests) {
  const readable = []
  for (const { url, method, mode = 'cors', type, body } of requests)
    await fetch(url, { method, mode, credentials: 'include', body, headers: type ? { 'content-type': type } : {} }).then(
      (response) => response.type === 'opaque' || readable.push([method, url, response.status].join(' ')),
      () => {},
    )
  return readable
}
function submitForm([action, enctype, name]) {
  const form = Object.assign(document.createElement('form'), { method: 'post', action, enctype })
  form.append(Object.assign(document.createElement('input'), { name, value: '"}' }))
  document.body.append(form)
  form.submit()
}
const frame = (src) => new Promise((resolve) => {
  document.querySelector('iframe')?.remove()
  document.body.append(Object.assign(document.createElement('iframe'), { src, onload: () => resolve() }))
})
const openWindow = (url) => { opened = window.open(url) }
</script>`
