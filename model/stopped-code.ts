/** Why a sign-in through a provider went no further; the page it ends on has the words. */
export type StoppedCode =
  /** Not begun in this browser, used already, or longer ago than ten minutes. */
  | 'expired'
  /** The person, or the provider, said no. */
  | 'cancelled'
  | 'provider_unreachable'
  /** What it answered does not hold. */
  | 'provider_failed'
  /** Turned off or deleted. */
  | 'provider_off'
  /** It says no e-mail, or one that it has not verified. */
  | 'email_unverified'
  /** The organization has not proven that the e-mail's domain is its own. */
  | 'domain_unverified'
  /** Nobody with this e-mail is in the organization. */
  | 'not_invited'
  | 'not_active'
  /** They have a password here already, and join by the link of their invitation first. */
  | 'invitation_first'
  /** The person came with another account before. */
  | 'other_account'
  /** Linking: the account is somebody else's here. */
  | 'identity_taken'
  /** Linking: the session is over, or another one. */
  | 'signed_out'
