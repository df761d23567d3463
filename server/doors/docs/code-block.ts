import { type Html, html } from './html.ts'

/**
 * Text to be copied, in a block that the keyboard can scroll; the script of the page (browser.js) adds a button
 * that copies it.
 * @param label what it is, on the page as well as for readers who hear it
 */
export const codeBlock = (label: string, text: string): Html => html`
<figure class="code"><figcaption>${label}</figcaption>
<pre tabindex="0" role="group" aria-label="${label}"><code>${text}</code></pre></figure>`

/** A value as the service sends it, spread out for readers. */
export const jsonBlock = (label: string, value: unknown): Html =>
  codeBlock(label, JSON.stringify(value, null, 2))
