import { useOneTimeToken } from '../client/one-time-token.ts'
import { AskForLink } from './reset/ask-for-link.tsx'
import { ChoosePassword } from './reset/choose-password.tsx'

/** Without a link's token it asks for a link; with it, for the new password. */
export function ResetPage() {
  const token = useOneTimeToken()
  return token === null ? <AskForLink /> : <ChoosePassword token={token} />
}
