import type { Page } from 'playwright-core'

/** Gives the browser of a page a device that keeps passkeys, and whose person always agrees. */
export async function plugInAuthenticator(page: Page): Promise<void> {
  const debuggerOf = await page.context().newCDPSession(page)
  await debuggerOf.send('WebAuthn.enable')
  await debuggerOf.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
