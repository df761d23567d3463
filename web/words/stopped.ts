import type { StoppedCode } from '../../server/access/sign-in-providers/stopped.ts'

/** Why somebody came back from single sign-on without having come in. */
export const stopped: { title: string; linkTitle: string; codes: Record<StoppedCode, string> } = {
  title: 'Single sign-on went no further',
  linkTitle: 'The account was not linked',
  codes: {
    expired: 'It was begun too long ago, in another browser, or was used already. Begin again.',
    cancelled: 'It was cancelled, by you or by the sign-in service of your organization.',
    provider_unreachable: 'The sign-in service of your organization does not answer. Try again in a moment.',
    provider_failed:
      'What the sign-in service of your organization answered does not hold. An admin finds the reason in the log.',
    provider_off: 'Single sign-on is turned off for your organization. Ask an admin.',
    email_unverified: 'The sign-in service says no e-mail for you, or one that it has not verified.',
    domain_unverified:
      'The domain of your e-mail is not verified here. An admin of your organization does that.',
    not_invited: 'Nobody with this e-mail is in the organization. Ask an admin for an invitation.',
    not_active: 'You are not active in the organization. Ask an admin.',
    invitation_first:
      'You have a password here already. Accept the invitation by its link first, then come this way.',
    other_account: 'You came with another account before. Use that one, or ask an admin.',
    identity_taken: 'That account is linked to somebody else here.',
    signed_out: 'Your session ended on the way. Sign in, and link the account again.',
  },
}
