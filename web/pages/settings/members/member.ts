import type { Output } from '../../../client/calls.ts'

export type Member = Output<'listUsers'>['data'][number]
export type Role = Member['role']

export const ROLES = ['admin', 'editor', 'viewer'] as const satisfies readonly Role[]
