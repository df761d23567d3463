import type { Output } from '../../../client/calls.ts'

export type Provider = Output<'listSignInProviders'>['data'][number]
