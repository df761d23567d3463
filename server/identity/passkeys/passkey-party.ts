import type { Config } from '../../config.ts'

/** Who asks for passkeys, in the words of WebAuthn: the host of the service, and the origin of its pages. */
export const relyingParty = ({ publicUrl }: Config): { id: string; name: string; origin: string } => ({
  id: new URL(publicUrl).hostname,
  name: 'Plumbline',
  origin: publicUrl,
})

/** The library of passkeys; it brings readers of certificates with it, and is loaded for the first passkey. */
export const webauthn = () => import('@simplewebauthn/server')
