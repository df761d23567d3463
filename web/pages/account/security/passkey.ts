import type { Output } from '../../../client/calls.ts'

export type Passkey = Output<'getSignInMethods'>['passkeys'][number]
