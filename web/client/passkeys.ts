import { call } from './calls.ts'

/*
 * Passkeys. The library that speaks with the browser about them is loaded when one is used.
 */

export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window

/** The browser or the person did not go on; said by us, since its own words are for programmers. */
export class PasskeyUnused extends Error {
  override name = 'PasskeyUnused'
}

interface Ceremony {
  /** Null only in an answer that is told a second time, which we never ask for. */
  ceremony: string | null
  options: object
}

/**
 * Signs in with a passkey.
 * @param ticket of a password given before, where the passkey is the second factor
 * @param fromField offers the passkeys in the e-mail field, and waits until one is taken there
 */
export async function signInWithPasskey({
  ticket,
  fromField = false,
}: {
  ticket?: string
  fromField?: boolean
}): Promise<void> {
  const begun = await call('beginPasskeySignIn', ticket === undefined ? {} : { ticket })
  await call('signInWithPasskey', await answer(begun, fromField))
}

/** Proves with a passkey that it is still the same person. */
export async function confirmWithPasskey(): Promise<void> {
  await call('confirmIdentity', await answer(await call('beginPasskeyConfirmation', {})))
}

async function answer({ ceremony, options }: Ceremony, fromField = false) {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const response = await startAuthentication({
    optionsJSON: options as never,
    useBrowserAutofill: fromField,
  }).catch(unused)
  return { ceremony: ceremony ?? '', response }
}

/** Has the browser make a passkey, for createPasskey. */
export async function makePasskey({ ceremony, options }: Ceremony) {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const response = await startRegistration({ optionsJSON: options as never }).catch(unused)
  return { ceremony: ceremony ?? '', response }
}

/** Ends the waiting of a field, when its page goes. */
export async function stopWaiting(): Promise<void> {
  const { WebAuthnAbortService } = await import('@simplewebauthn/browser')
  WebAuthnAbortService.cancelCeremony()
}

/** Whether the e-mail field can offer passkeys. */
export const canOfferInField = async (): Promise<boolean> =>
  hasPasskeys() && ((await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false)

function unused(cause: unknown): never {
  throw new PasskeyUnused('The passkey was not used', { cause })
}
