import type { AnyJobKind } from '../jobs/job-kind.ts'
import { mailSignInLink } from './mailed-sign-in.ts'
import { mailPasswordReset } from './passwords/password-reset.ts'

/** What is mailed to people so that they get in. */
export const identityJobKinds: readonly AnyJobKind[] = [mailPasswordReset, mailSignInLink]
