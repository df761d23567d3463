import { startSite } from '../browser.ts'
import { fillOrganization } from '../full-organization.ts'
import { loopbackSettings } from '../webhooks.ts'
import type { Given } from './screens.ts'

export interface FullSite extends Given {
  close(): Promise<void>
}

/** A site whose deliveries are sent, with an organization that has everything. */
export async function startFullSite(): Promise<FullSite> {
  const { settings, remove } = await loopbackSettings()
  const site = await startSite(settings)
  await site.service.webhooks.start()
  const full = await fillOrganization(site)
  return {
    site,
    full,
    close: async () => {
      await full.close()
      await site.close()
      remove()
    },
  }
}
