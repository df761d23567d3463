import { lazy, Suspense } from 'react'
import { fetchCode } from '../client/fetch-code.ts'
import { useOneTimeToken } from '../client/one-time-token.ts'
import { AskForLink } from './reset/ask-for-link.tsx'

/** Drawn for who has a link only, so that who asks for one does not wait for it. */
const ChoosePassword = lazy(() =>
  fetchCode(() => import('./reset/choose-password.tsx')).then((all) => ({ default: all.ChoosePassword })),
)

/** Without a link's token it asks for a link; with it, for the new password. */
export function ResetPage() {
  const token = useOneTimeToken()
  if (token === null) return <AskForLink />
  return (
    <Suspense>
      <ChoosePassword token={token} />
    </Suspense>
  )
}
