import type { Values } from '../../../model/complaint.ts'

/** By what an audience names people: of departments their names, of groups the labels of their people. */
export type By = 'departments' | 'groups'

export const isNamed = (audience: unknown): audience is By =>
  audience === 'departments' || audience === 'groups'

/** The departments or labels that a policy names. */
export const namesIn = ({ audienceIds }: Values): readonly string[] =>
  (audienceIds ?? []) as readonly string[]
