import type { StoppedCode } from '../../model/stopped-code.ts'

/** Why somebody came back from single sign-on without having come in. */
export const stopped: { title: string; linkTitle: string; codes: Record<StoppedCode, string> } = {
  title: 'Single sign-on failed',
  linkTitle: 'The account was not linked',
  codes: {
    expired: 'It was started too long ago, in another browser, or was already used. Start again.',
    cancelled: 'It was cancelled, by you or by the sign-in service of your organization.',
    provider_unreachable: 'The sign-in service of your organization does not answer. Try again in a moment.',
    provider_failed:
      'The answer from the sign-in service of your organization is not valid. An admin finds the reason in the audit log.',
    provider_off: 'Single sign-on is turned off for your organization. Ask an admin.',
    email_unverified: 'The sign-in service gave no e-mail for you, or one that it has not verified.',
    domain_unverified:
      'The domain of your e-mail is not verified here. An admin of your organization can verify it.',
    not_invited: 'Nobody with this e-mail is in the organization. Ask an admin for an invitation.',
    not_active: 'You are not active in the organization. Ask an admin.',
    invitation_first:
      'You already have a password here. Accept the invitation by its link first, then sign in this way.',
    other_account: 'You signed in with another account before. Use that one, or ask an admin.',
    identity_taken: 'That account is linked to somebody else here.',
    signed_out: 'Your session ended in the meantime. Sign in, and link the account again.',
  },
}
