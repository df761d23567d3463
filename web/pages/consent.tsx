import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { readConsentRequest } from '../client/consent.ts'
import { fetchCode } from '../client/fetch-code.ts'
import { isProblem } from '../client/problem.ts'
import { sessionBegan, sessionQuery } from '../client/session.ts'
import { Entrance } from '../components/entrance.tsx'
import { Loaded } from '../components/loaded.tsx'
import { SignIn } from '../components/sign-in.tsx'
import { consent as words } from '../copy/apps.ts'

/** Drawn for who is signed in only, so nobody waits for it before. */
const Decide = lazy(() =>
  fetchCode(() => import('./consent/decide.tsx')).then((all) => ({ default: all.Decide })),
)

const route = getRouteApi('/consent/$uid')

/** Asks whether a program may act for the person. Who is not signed in does that first, and stays here. */
export function ConsentPage() {
  const { uid } = route.useParams()
  const request = useQuery({ queryKey: ['consent', uid], queryFn: () => readConsentRequest(uid) })
  const { data: session } = useQuery(sessionQuery)

  if (isProblem(request.error, 'credential_missing'))
    return (
      <Entrance title={words.loadingTitle} text={words.signIn}>
        <SignIn
          done={async () => {
            await sessionBegan()
            await request.refetch()
          }}
          returnTo={`/consent/${uid}`}
        />
      </Entrance>
    )
  return (
    <Entrance
      title={request.data ? words.title(request.data.client.name) : words.loadingTitle}
      text={request.data && words.wants}
      wide
    >
      <Loaded query={request} lines={6}>
        {(asked) => (
          <Suspense>
            <Decide
              uid={uid}
              asked={asked}
              person={session?.state === 'signed_in' ? session.person : null}
              current={session?.state === 'signed_in' ? session.organization.id : null}
            />
          </Suspense>
        )}
      </Loaded>
    </Entrance>
  )
}
