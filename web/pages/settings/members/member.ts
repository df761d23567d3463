import type { Output } from '../../../client/calls.ts'

export type Member = Output<'listUsers'>['data'][number]
