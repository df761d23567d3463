import type { Output } from '../../client/calls.ts'

/** What the result of a requirement follows from. */
export type Coverage = Output<'explainRequirement'>
