import { z } from 'zod'

/**
 * What a browser brings back from an authenticator, as `toJSON()` of a PublicKeyCredential says it (WebAuthn
 * 3, 5.1). Browsers say more with each version: what is not read falls away. What is read is proved by the
 * signature and by nothing here, but how much of it there may be is.
 */
const base64url = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[\w-]+$/, 'is no base64url: give what the browser gave')

const credential = {
  id: base64url(1_400),
  rawId: base64url(1_400),
  type: z.literal('public-key'),
}

export const registrationAnswer = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url(8_000),
      attestationObject: base64url(40_000),
      transports: z.array(z.string().max(50)).max(10).optional(),
    }),
  })
  .meta({ id: 'PasskeyRegistration', title: 'What the authenticator answered' })

export const authenticationAnswer = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url(8_000),
      authenticatorData: base64url(8_000),
      signature: base64url(2_000),
      userHandle: base64url(200).nullish(),
    }),
  })
  .meta({ id: 'PasskeyAuthentication', title: 'What the authenticator answered' })

export type RegistrationAnswer = z.output<typeof registrationAnswer>
export type AuthenticationAnswer = z.output<typeof authenticationAnswer>

/** What a browser is given to ask an authenticator for, as JSON. */
export const ceremonyBegun = z.object({
  ceremony: z.string().nullable().describe('To be sent back with the answer, within five minutes'),
  options: z.looseObject({ challenge: z.string() }).describe('For navigator.credentials, as JSON'),
})

export const ceremony = z.string().min(1).max(100).meta({ title: 'Ceremony' })
