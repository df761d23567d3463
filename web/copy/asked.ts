import type { Role } from '../../model/scopes.ts'

/* Where nothing is found to choose from. */

export const none = 'No match'

/** Of those whom a field asks. */
export const noneAsked = (role: Role): string => `${none}. It takes the role of ${role} to do what this asks.`
