import type { BrowserContext } from 'playwright-core'

/** Something that no page of ours may do, in words. */
export type Complaint = string

/** A refusal is an answer like any other, but the browser logs it. */
const REFUSED = /^Failed to load resource: the server responded with a status of (4\d\d|503)/

/**
 * Writes down what pages do wrong: what their policy stopped, what they log as an error or throw, and whom
 * they ask besides us.
 *
 * @param origin the only one that they may talk to
 */
export async function watch(context: BrowserContext, origin: string): Promise<Complaint[]> {
  const complaints: Complaint[] = []
  await context.exposeBinding('plumblineStopped', (_source, what: string) => {
    complaints.push(`the policy stopped ${what}`)
  })
  await context.addInitScript({ content: TELL_WHAT_WAS_STOPPED })
  context.on('console', (message) => {
    if (message.type() !== 'error' || REFUSED.test(message.text())) return
    complaints.push(`logged: ${message.text()}`)
  })
  context.on('weberror', (error) =>
    complaints.push(`threw: ${error.error().stack || error.error().message || String(error.error())}`),
  )
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== origin && !['data:', 'blob:', 'about:'].includes(url.protocol))
      complaints.push(`asked ${url.origin}`)
  })
  return complaints
}

/** Runs in the page. */
const TELL_WHAT_WAS_STOPPED = `document.addEventListener('securitypolicyviolation', (event) =>
  plumblineStopped([event.violatedDirective, event.blockedURI, event.sample, event.sourceFile].join(' ')))`
