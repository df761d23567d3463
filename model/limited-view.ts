/**
 * Members whose view is limited, though their role is that of a viewer: an auditor reads everything and writes nothing
 * but comments where somebody asked for one; who is here for themselves alone sees their own tasks and assets, what they
 * have to acknowledge, and their account.
 */
export const LIMITED_VIEWS = ['auditor', 'self_service'] as const

export type LimitedView = (typeof LIMITED_VIEWS)[number]
