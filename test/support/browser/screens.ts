import type { Kind } from '../../../model/kind.ts'
import { everyKind } from '../../../model/kinds/index.ts'
import { type PAGES, RECORD, REGISTER } from '../../../model/pages.ts'
import type { Site, TestPage } from '../browser.ts'
import type { FullOrganization } from '../full-organization.ts'
import { newRequest, type OauthTest } from '../oauth.ts'

/*
 * Every page of the app and what opens over it, for the tests that hold of all: a page that is not here fails
 * the types.
 */

export interface Screen {
  /** Where it is, in an organization that has everything. */
  path(given: Given): string | Promise<string>
  /** Where it is a page of one kind's. */
  kind?: Kind
  /** Seen without signing in. */
  isOpen?: true
  /** Nothing in the app leads there. */
  byAddress?: true
  /** What opens over it, or what it becomes, by what a person does. */
  over?: Readonly<Record<string, Act>>
}

export type Act = (page: TestPage, given: Given) => Promise<unknown>

export interface Given {
  readonly site: Site
  readonly full: FullOrganization
}

const press =
  (...names: (string | RegExp)[]): Act =>
  async (page) => {
    for (const name of names)
      await page
        .getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
        .first()
        .click()
  }
/** A menu, and what is chosen in it. */
const choose =
  (opener: string | RegExp, item?: string): Act =>
  async (page, given) => {
    await press(opener)(page, given)
    await page.getByRole('menu').waitFor()
    if (item) await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
const dialog = (page: TestPage) => page.getByRole('dialog')
const submitEmpty: Act = (page) =>
  dialog(page)
    .getByRole('button', { name: /^(Add|Create|Invite)/ })
    .click()

const sendCsv = async (page: TestPage) => {
  const buffer = Buffer.from('Title,Likelihood,Our number\nA risk,Rare,1\nAnother,often,2\n')
  await page.locator('input[type=file]').setInputFiles({ name: 'risks.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('heading', { name: 'Check the columns' }).waitFor()
}

const PAGE_SCREENS: Record<keyof typeof PAGES, Screen> = {
  overview: {
    path: () => '/',
    over: {
      'the palette': async (page) => {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox').fill('gateway')
        await page.getByRole('option', { name: /gateway/ }).waitFor()
      },
      'the menu of organizations': choose(/^Organization/),
      'the menu of the person': choose(/^Account of/),
    },
  },
  signIn: {
    path: () => '/sign-in',
    isOpen: true,
    over: {
      'a wrong password': async (page) => {
        await page.getByLabel('E-mail').fill('ada@example.com')
        await page.getByLabel('Password', { exact: true }).fill('not this one')
        await page.getByRole('button', { name: 'Sign in', exact: true }).click()
        await page.getByRole('alert').waitFor()
      },
      'single sign-on': press('Single sign-on'),
    },
  },
  setUp: {
    path: () => '/set-up#token=any',
    isOpen: true,
    over: { 'no token': (page) => page.goto('/set-up') },
  },
  invitation: {
    isOpen: true,
    path: async ({ site, full: { admin } }) => {
      const email = `guest-${Date.now()}@example.com`
      const { body } = await site.call(admin, 'createUser', { email, name: 'A guest', role: 'viewer' })
      return new URL((body as { invitation: { link: string } }).invitation.link).href.slice(site.url.length)
    },
    over: {
      'a password too short': async (page) => {
        await page.getByLabel('Password', { exact: true }).fill('short')
        await page.getByRole('button', { name: 'Accept' }).click()
        await page.locator('[aria-invalid=true]').waitFor()
      },
    },
  },
  reset: {
    path: () => '/reset',
    isOpen: true,
    over: { 'with a link that is over': (page) => page.goto('/reset#token=over') },
  },
  organizations: { path: () => '/organizations' },
  consent: {
    byAddress: true,
    path: ({ site }) => requestOf(site),
    over: { 'with more to offer': press(/^Show \d+ more$/) },
  },
  guest: {
    isOpen: true,
    path: () => '/guest#token=any',
    over: { 'a link that opens nothing': press('Open'), 'no link': (page) => page.goto('/guest') },
  },
  toRead: { path: () => '/to-read/pat_01k9f8qxk2e9mbz6w0h5t4v3ra' },
  inbox: { path: () => '/inbox' },
  myWork: { path: () => '/my-work' },
  calendar: { path: () => '/calendar' },
  accountProfile: { path: () => '/account/profile' },
  accountSecurity: {
    path: () => '/account/security',
    over: {
      'a dialog that asks who it is': press('Set up'),
      'the end of a session': press(/^End/),
      'another name for a passkey': press(/^Rename/),
    },
  },
  accountConnectedApps: {
    path: () => '/account/connected-apps',
    over: { 'the end of an app': press('Revoke Test app') },
  },
  accountJobs: { path: () => '/account/jobs' },
  settingsRiskMatrix: { path: () => '/settings/risk-matrix' },
  accountNotifications: { path: () => '/account/notices' },
  settingsMail: { path: () => '/settings/mail' },
  help: { path: () => '/help', over: { 'the keys': (page) => page.keyboard.press('?') } },
  riskMatrix: {
    path: () => '/risks/matrix',
    over: {
      'inherent risk': (page) => page.getByRole('link', { name: 'Inherent' }).click(),
      'residual risk': (page) => page.getByRole('link', { name: 'Residual' }).click(),
    },
  },
  discoveredVendors: {
    path: () => '/vendors/discovered',
  },
  evidenceHub: {
    path: () => '/evidence/hub',
  },
  frameworkLibrary: { path: () => '/frameworks/library' },
  frameworkComparison: {
    path: ({ full }) => `/frameworks/${full.records.framework}/comparison`,
  },
  frameworkMigration: { path: ({ full }) => `/frameworks/${full.records.framework}/migration` },
  frameworkStatement: {
    path: ({ full }) => `/frameworks/${full.records.framework}/statement-of-applicability`,
  },
  policyTemplates: { path: () => '/policies/templates' },
  policyUpload: { path: () => '/policies/upload' },
  importFile: {
    path: () => '/import/risks',
    over: {
      'the columns of a file': (page) => sendCsv(page),
    },
  },
  settings: { path: () => '/settings' },
  settingsOrganization: {
    path: () => '/settings/organization',
    over: {
      'a refused website': async (page) => {
        await page.getByLabel('Website').fill('nowhere')
        await page.getByRole('button', { name: 'Save changes' }).click()
        await page.locator('[aria-invalid=true]').waitFor()
      },
    },
  },
  settingsMembers: {
    path: () => '/settings/members',
    over: {
      'the actions': choose(/^Actions for admin/),
      'an invitation': press('Invite'),
      'another role': choose(/^Actions for editor/, 'Change role'),
      'what is handed over': choose(/^Actions for editor/, 'Hand over records'),
      'an end': choose(/^Actions for viewer/, 'Remove'),
      'a link shown once': async (page, given) => {
        await choose(/^Actions for viewer/, 'Link for a lost password')(page, given)
        await page.getByText(/#token=/).waitFor()
      },
    },
  },
  settingsSignIn: {
    path: () => '/settings/sign-in',
    over: {
      'another domain': press(/^Remove example\.org/),
      'the form of the provider': press(/^Change /),
      'its end': press(/^Delete /),
    },
  },
  settingsApiKeys: {
    path: () => '/settings/api-keys',
    over: {
      'a new key, refused': async (page, given) => {
        await press('Create key')(page, given)
        await submitEmpty(page, given)
      },
      'the secret': async (page, given) => {
        await press('Create key')(page, given)
        await dialog(page).getByLabel('Name').fill('A backup job')
        await dialog(page).getByLabel('read:risks').check()
        await page.keyboard.press('Control+Enter')
        await page.getByRole('button', { name: 'I have saved it' }).waitFor()
      },
      'the end of a key': press('Revoke Backup job'),
    },
  },
  settingsWebhooks: {
    path: () => '/settings/webhooks',
    over: {
      'a new endpoint, refused': async (page, given) => {
        await press('Add endpoint')(page, given)
        await dialog(page).getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1/')
        await submitEmpty(page, given)
        await page.getByText('Choose at least one signal type.').waitFor()
      },
    },
  },
  settingsWebhook: {
    path: ({ full }) => `/settings/webhooks/${full.endpoints.off.id}`,
    over: {
      'another that is well': async (page, { full }) => {
        await page.goto(`/settings/webhooks/${full.endpoints.well.id}`)
        await page.getByRole('heading', { level: 1, name: /\/well$/ }).waitFor()
      },
      'its form': press('Edit'),
      'a new secret': async (page, given) => {
        await press('Rotate secret')(page, given)
        await dialog(page).getByRole('button', { name: 'Rotate secret' }).click()
        await page.getByText(/^whsec_/).waitFor()
      },
      'its end': press('Delete'),
    },
  },
  settingsDeliveries: {
    path: () => '/settings/deliveries',
    over: {
      'the menu of endpoints': choose('Endpoint'),
      'the menu of times': press('Time'),
      filtered: (page) => page.goto('/settings/deliveries?status=delivered&time=24h'),
      'many redelivered': async (page, given) => {
        await press('Redeliver…')(page, given)
        await dialog(page).getByRole('checkbox').first().waitFor()
      },
    },
  },
  settingsDelivery: {
    path: ({ full }) => `/settings/deliveries/${full.deliveries.waiting}`,
    over: {
      'one delivered': async (page, { full }) => {
        await page.goto(`/settings/deliveries/${full.deliveries.delivered}`)
        await page.getByRole('heading', { level: 1, name: 'risk.created' }).waitFor()
      },
    },
  },
  settingsSignatureBench: {
    path: ({ full }) => `/settings/signature-bench?delivery=${full.deliveries.delivered}`,
    over: { checked: press(/^Check/) },
  },
  settingsCustomFields: {
    path: () => '/settings/custom-fields',
    over: {
      'the actions': choose('Actions for Region'),
      'a definition': choose('Actions for Region', 'Edit'),
      'a new one': press('Define custom field'),
      'what is retired': choose('Actions for Region', 'Retire'),
    },
  },
  settingsAuditLog: {
    path: () => '/settings/audit-log',
    over: {
      'an entry': (page) => page.getByRole('list', { name: 'Entries' }).getByRole('button').first().click(),
      'more filters': press('More filters'),
      'the export': press('Export…'),
    },
  },
  settingsConnectedApps: { path: () => '/settings/connected-apps' },
  settingsElsewhere: { byAddress: true, path: () => '/settings/no/such/page' },
}

/** What opens over a list or a record is one part for all kinds: it is looked at over the first of them. */
const [FIRST] = everyKind

const registerOf = (kind: Kind): Screen => ({
  kind,
  path: () => REGISTER.replace('$register', kind.page),
  over: {
    'its form, refused': async (page, given) => {
      await press(/^Add /)(page, given)
      await submitEmpty(page, given)
      await page.locator('[aria-invalid=true]').first().waitFor()
      await press('More fields')(page, given)
    },
    ...(kind === FIRST && overRegister(kind)),
  },
})

const overRegister = ({ page: word }: Kind): Screen['over'] => ({
  'the menu of filters': choose('Filter'),
  'a filter': async (page, given) => {
    await press('Filter')(page, given)
    await page.getByRole('menuitem').first().click()
    await dialog(page).waitFor()
  },
  'the menu of columns': press('Columns'),
  'nothing found': (page) => page.goto(`/${word}?q=zzzz`),
  'the menu of states': (page) =>
    page
      .getByTitle(/^Change status of/)
      .first()
      .click(),
  'the picker of owners': async (page) => {
    await page
      .getByTitle(/^Change owner of/)
      .first()
      .click()
    await page.getByRole('option').nth(1).waitFor()
  },
  'rows that are selected': (page) => page.getByLabel('Select all rows that are loaded').check(),
})

const recordOf = (kind: Kind): Screen => ({
  kind,
  path: ({ full }) => RECORD.replace('$register', kind.page).replace('$id', full.records[kind.name]!),
  over: {
    'its history': (page) => page.getByRole('tab', { name: 'History' }).click(),
    ...(kind === FIRST && OVER_RECORD),
  },
})

const OVER_RECORD: Screen['over'] = {
  'its signals': (page) => page.getByRole('tab', { name: 'Signals' }).click(),
  'the menu of states': choose(/^Status: /),
  'a field that is edited': press('Edit title'),
  'a choice with what it means': choose('Edit category'),
  'a rating that is edited': async (page, given) => {
    await press('Edit current rating')(page, given)
    await dialog(page).waitFor()
  },
  'what can be added': choose('Add details'),
  'custom fields that are added': async (page, given) => {
    await choose('Add details')(page, given)
    await page.getByRole('menuitem', { name: /^Custom fields/ }).click()
    await page.getByLabel('Name 1').waitFor()
  },
  'an owner that is chosen': async (page, given) => {
    await press('Edit owner')(page, given)
    await page.getByRole('option').nth(1).waitFor()
  },
  'an edit that met another': async (page, { site, full: { admin, risk } }) => {
    await page.getByRole('button', { name: 'Edit title', exact: true }).click()
    await page.getByLabel('Title').fill('Mine')
    await site.call(admin, 'updateRisk', { id: risk, title: `Theirs, ${Date.now()}` })
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Use mine' }).waitFor()
  },
  'its end': async (page, given) => {
    await press('More about this record')(page, given)
    await page.getByRole('menuitem', { name: 'Delete' }).click()
  },
}

/** Every page by a name, registers and records for each kind. */
export const SCREENS: Readonly<Record<string, Screen>> = {
  ...PAGE_SCREENS,
  ...Object.fromEntries(everyKind.map((kind) => [`register of ${kind.plural}`, registerOf(kind)])),
  ...Object.fromEntries(everyKind.map((kind) => [`record of a ${kind.name}`, recordOf(kind)])),
}

/** A program's wish to be let in, as the person's browser is sent there. */
async function requestOf(site: Site): Promise<string> {
  const callback = 'http://127.0.0.1:33418/callback'
  const answer = await fetch(`${site.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Test agent',
      redirect_uris: [callback],
      token_endpoint_auth_method: 'none',
    }),
  })
  const { client_id: id } = (await answer.json()) as { client_id: string }
  const oauth = { base: site.url, resource: `${site.url}/v1/mcp` } as OauthTest
  return newRequest(oauth, { id, redirect: callback }, { scope: 'read:risks write:risks' }).url.slice(
    site.url.length,
  )
}
