import { useQuery } from '@tanstack/react-query'
import { call } from '../client/calls.ts'
import { useOneTimeToken } from '../client/one-time-token.ts'
import { Entrance } from '../components/entrance.tsx'
import { Loaded } from '../components/loaded.tsx'
import { invitation as words } from '../copy/entering.ts'
import { Accept } from './invitation/accept.tsx'

export function InvitationPage() {
  const token = useOneTimeToken()
  const invitation = useQuery({
    queryKey: ['getInvitation', token],
    queryFn: () => call('getInvitation', { token: token! }),
    enabled: token !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (token === null) return <Entrance title={words.noToken.title} text={words.noToken.text} />
  return (
    <Entrance title={words.title} text={invitation.data && words.to(invitation.data.organizationName)}>
      <Loaded query={invitation} lines={4}>
        {(invited) => <Accept token={token} invited={invited} />}
      </Loaded>
    </Entrance>
  )
}
