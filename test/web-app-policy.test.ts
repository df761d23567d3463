import { afterAll, beforeAll, expect, test } from 'vitest'
import { PAGES } from '../model/pages.ts'
import { PATHS } from '../server/doors/web-app.ts'
import { eachOf } from './support/browser/each-of.ts'
import { follow } from './support/browser/faults-of-screens.ts'
import { SCREENS } from './support/browser/screens.ts'
import { type Site, startSite } from './support/browser.ts'
import { sample } from './support/coverage.ts'

/* Every page is drawn in a real browser, under its policy, without asking it for anything it forbids. */

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const visited = (path: string) => path.replace('$register', 'risks').replace(/\$\w+/, 'none')
const paths = PATHS.map(visited)
const openPaths = Object.entries(PAGES)
  .filter(([name]) => SCREENS[name]!.isOpen)
  .map(([, path]) => visited(path))
/** Whoever is not signed in is led from each of these to the same page. */
const closedPaths = paths.filter((path) => !openPaths.includes(path))
/** Nothing in the app leads there. */
const byAddress = Object.entries(PAGES)
  .filter(([name]) => SCREENS[name]!.isOpen || SCREENS[name]!.byAddress)
  .map(([, path]) => visited(path))

test.each([
  { who: 'nobody', colorScheme: 'light' },
  { who: 'admin', colorScheme: 'dark' },
] as const)('every page draws itself for $who, $colorScheme', async ({ who, colorScheme }) => {
  const { admin } = await site.organization()
  const open = () => site.open('/', { colorScheme, ...(who === 'admin' ? { as: admin } : {}) })
  // The policy is one for all of them; their code is read by turns.
  const visits = [...openPaths, ...sample(closedPaths, who === 'admin' ? 12 : 4, who)]
  await eachOf(visits, open, async (page, path) => {
    const isFollowed = who === 'admin' && !byAddress.includes(path)
    if (isFollowed) await follow(page, path)
    else await page.goto(site.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    // Between two that are followed stands a page that is not found: its title is not theirs.
    const title = isFollowed ? /^(?!Page not found).+ · Plumbline$/ : / · Plumbline$/
    await expect.poll(() => page.title(), { message: path }).toMatch(title)
    expect(page.complaints, path).toEqual([])
  })
})

test('a script that gets into the page does not run', async () => {
  const page = await site.open('/sign-in', { expected: [/the policy stopped/, /logged: /] })
  await page.getByLabel('E-mail').waitFor()
  // In a task of the page's own: what runs on the debugger's behalf may do more.
  const outcomes = await page.evaluate<Record<string, string>>(`new Promise((tell) => setTimeout(() => {
    const attempts = {
      text: () => { const script = document.createElement('script'); script.textContent = 'ran = "text"'; document.body.append(script) },
      address: () => { const script = document.createElement('script'); script.src = 'data:text/javascript,ran="address"'; document.body.append(script) },
      markup: () => { document.body.innerHTML += '<img src="data:," onerror="ran = 1">' },
      handler: () => { const bold = document.createElement('b'); bold.setAttribute('onclick', 'ran = "handler"'); document.body.append(bold); bold.click() },
      eval: () => { new Function('ran = "eval"')() },
      frame: () => { const frame = document.createElement('iframe'); frame.srcdoc = '<script>parent.ran = 1</script>'; document.body.append(frame) },
    }
    const outcomes = {}
    for (const [name, attempt] of Object.entries(attempts))
      try { attempt(); outcomes[name] = 'passed' } catch { outcomes[name] = 'refused' }
    setTimeout(() => tell({ ...outcomes, ran: String(window.ran) }), 200)
  }))`)
  expect(outcomes).toEqual({
    text: 'refused',
    address: 'refused',
    markup: 'refused',
    handler: 'refused',
    eval: 'refused',
    frame: 'refused',
    ran: 'undefined',
  })
  expect(page.complaints.join('\n')).toContain('the policy stopped')
})
