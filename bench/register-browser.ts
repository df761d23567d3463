import type { Browser, Page } from 'playwright-core'
import { type BigRegister, makeRegister, signIn } from './big-register.ts'
import { startBrowser } from './browser.ts'
import { interleave, median } from './figures.ts'
import { below, type Finding, type Row } from './row.ts'
import type { RunningService, Stand } from './stand.ts'

const RISKS = 100_000
const FEW = 1_000
const TURNS_OF_THE_WHEEL = 60
const TURN = 1_200

export const registerBrowser: Row = {
  name: 'register-browser',
  title: 'a register of 100,000 risks in a browser, as the service serves it',
  notes: [
    'A page of its own for each round, which opens the register, turns the wheel through some two thousand rows,',
    'filters, sorts, goes to a record and back, and changes a status and an owner in place. A task is what the',
    'browser reports as a long one (from 50 ms; 0 where there was none), the longest of each round. Seen is the',
    'frame that shows the change, confirmed the end of the answer to it, both from the click. The yardstick is',
    'the same in a register of 1,000.',
  ],
  run: measure,
}

const STEPS = {
  opening: 'opening',
  scrolling: 'scrolling',
  filtering: 'filtering',
  sorting: 'sorting',
  returning: 'to a record and back',
  editing: 'editing',
} as const

type Step = keyof typeof STEPS
type Times = Record<Step | 'open' | 'seen' | 'confirmed', number>

interface Side {
  readonly register: BigRegister
  readonly service: RunningService
  readonly session: string
}

async function measure(stand: Stand): Promise<Finding[]> {
  const browser = await startBrowser(stand, 'register-browser')
  if (!browser) return findingsOf([NOTHING], [NOTHING])
  stand.atEnd(() => browser.close())
  stand.say('register-browser: filling two registers')
  const [many, few] = [await openSide(stand, RISKS), await openSide(stand, FEW)]
  const look = (side: Side) => () => lookAround(browser, side)
  stand.say('register-browser: warming up')
  await look(many)()
  stand.say('register-browser: the register of 100,000 against that of 1,000')
  const { products, yardsticks } = await interleave(stand.rounds, look(many), look(few))
  await browser.close()
  for (const { service } of [many, few]) await service.stop()
  return findingsOf(products, yardsticks)
}

async function openSide(stand: Stand, risks: number): Promise<Side> {
  const register = await makeRegister(stand, risks)
  const parts = stand.parts(register.database)
  const session = await signIn(parts, register)
  await parts.close()
  return { register, session, service: await stand.service(register.database, { ROLE: 'api' }) }
}

/** What a person does with a register in a minute. */
async function lookAround(browser: Browser, { register, service, session }: Side): Promise<Times> {
  const origin = `http://localhost:${service.port}`
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addCookies([{ name: 'plumbline', value: session, url: origin }])
  await context.addInitScript({ content: WATCH })
  const page = await context.newPage()
  const longest = {} as Times
  const during = async (step: Step, work: () => Promise<unknown>) => {
    await page.evaluate('tasks.length = 0').catch(() => {})
    await work()
    // The browser reports a task once it is over.
    await page.waitForTimeout(150)
    longest[step] = await page.evaluate<number>('Math.max(0, ...tasks)')
  }
  const firstRow = page.getByRole('row').nth(1)

  await during('opening', async () => {
    await page.goto(`${origin}/risks`)
    await firstRow.getByRole('link').waitFor()
    longest.open = await page.evaluate('performance.now()')
  })
  await during('scrolling', async () => {
    await page.mouse.move(700, 500)
    for (let turn = 0; turn < TURNS_OF_THE_WHEEL; turn++) await page.mouse.wheel(0, TURN)
    await page.waitForTimeout(500)
  })
  await during('filtering', async () => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Status' }).click()
    await page.getByRole('checkbox', { name: 'Assessed' }).check()
    await firstRow.getByText('Assessed').waitFor()
    await page.keyboard.press('Escape')
  })
  await during('sorting', async () => {
    await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click()
    await firstRow.getByText('Forgotten').waitFor()
  })
  await during('returning', async () => {
    await firstRow.getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'Forgotten' }).waitFor()
    await page.goBack()
    await firstRow.getByText('Forgotten').waitFor()
  })
  await during('editing', async () => {
    const status = await changed(page, 'In treatment', async () => {
      await firstRow.getByRole('button', { name: 'Assessed' }).click()
      await page.getByRole('menuitem', { name: 'In treatment' }).click()
    })
    const colleague = 'Colleague 17'
    const owner = await changed(page, colleague, async () => {
      await firstRow.getByRole('button').nth(1).click()
      await page.getByPlaceholder('Search people').fill(colleague)
      await page.getByRole('option', { name: colleague }).click()
    })
    longest.seen = Math.max(status.seen, owner.seen)
    longest.confirmed = Math.max(status.confirmed, owner.confirmed)
  })
  await putBack(register)
  await context.close()
  return longest
}

/** How long after the last click of `work` the first row shows the text, and the service has confirmed it. */
async function changed(page: Page, text: string, work: () => Promise<void>) {
  await page.evaluate(`waitFor(${JSON.stringify(text)})`)
  const answered = page.waitForResponse((response) => response.url().endsWith('/web/updateRisk'))
  await work()
  await (await answered).finished()
  return await page.evaluate<{ seen: number; confirmed: number }>('times()')
}

/** So that each round finds what the one before found. */
const putBack = ({ database: { administrator }, id }: BigRegister) =>
  administrator.query(
    `update risks set status = 'assessed', owner_user_id = null, owner_personnel_id = null
      where organization_id = $1 and version > 1`,
    [id],
  )

/** Runs in the page. */
const WATCH = `
  const tasks = []
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true })
  let clicked = 0, seen = 0
  addEventListener('click', ({ timeStamp }) => { clicked = timeStamp; seen = 0 }, true)
  const waitFor = (text) => {
    const look = () => {
      if (seen || !document.querySelector('tbody tr:has(a)')?.textContent.includes(text)) return
      seen = 1
      requestAnimationFrame(() => setTimeout(() => { seen = performance.now() }))
    }
    window.looking?.disconnect()
    window.looking = new MutationObserver(look)
    window.looking.observe(document, { subtree: true, childList: true, characterData: true })
  }
  const times = () => {
    const { responseEnd } = performance.getEntriesByType('resource').findLast(({ name }) => name.endsWith('/web/updateRisk'))
    return { seen: seen - clicked, confirmed: responseEnd - clicked }
  }
  Object.assign(globalThis, { tasks, waitFor, times })`

const NOTHING = Object.fromEntries(
  [...Object.keys(STEPS), 'open', 'seen', 'confirmed'].map((name) => [name, Number.NaN]),
) as Times

function findingsOf(products: readonly Times[], yardsticks: readonly Times[]): Finding[] {
  const finding = (name: keyof Times, measure: string, most: number | null): Finding => {
    const [product, yardstick] = [products, yardsticks].map((rounds) =>
      // Of tasks the longest of all: one that comes now and then is felt as well.
      name in STEPS
        ? rounds.reduce((most, round) => Math.max(most, round[name]), 0)
        : median(rounds.map((round) => round[name])),
    ) as [number, number]
    return {
      measure,
      unit: 'ms',
      product,
      yardstick,
      yardstickIs: 'of 1,000',
      ratio: yardstick > 0 ? product / yardstick : Number.NaN,
      target: most === null ? null : below(most),
    }
  }
  return [
    finding('open', 'from the address to the first row', null),
    ...(Object.keys(STEPS) as Step[]).map((step) => finding(step, `longest task ${STEPS[step]}`, 100)),
    finding('seen', 'an edit is seen', 100),
    finding('confirmed', 'an edit is confirmed', 300),
  ]
}
