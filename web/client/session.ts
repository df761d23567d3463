import { queryOptions } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { call, type Output } from './calls.ts'
import { setFormats } from './formats.ts'
import { queries } from './queries.ts'
import { setRiskMatrix } from './risk-matrix.ts'

export type Session = Output<'getSession'>
export type SignedIn = Extract<Session, { state: 'signed_in' }>

export const sessionQuery = queryOptions({
  queryKey: ['getSession'],
  queryFn: async () => {
    const session = await call('getSession', {})
    if (session.state === 'signed_in') {
      setFormats(session.organization)
      setRiskMatrix(session.organization.riskMatrix as never)
    }
    return session
  },
  staleTime: 60_000,
  // Who comes back to a session that is over finds what they typed; the next call asks them to sign in.
  refetchOnWindowFocus: false,
})

export const SignedInContext = createContext<SignedIn | null>(null)

/** Whoever is signed in; for what is drawn behind sign-in only. */
export function useSignedIn(): SignedIn {
  const session = use(SignedInContext)
  if (!session) throw new Error('drawn without a session')
  return session
}

/**
 * After somebody signed in. What was read for another person or organization is forgotten.
 * @returns whether it is who was here before
 */
export async function sessionBegan(): Promise<boolean> {
  const before = identityOf(queries.getQueryData(sessionQuery.queryKey))
  const now = identityOf(await queries.fetchQuery({ ...sessionQuery, staleTime: 0 }))
  if (now === before) return true
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'getSession' })
  return false
}

/** Who acts, and where: what is on a page belongs to that. */
export const identityOf = (session: Session | undefined): string =>
  session?.state === 'signed_in' ? `${session.person.id} ${session.organization.id}` : ''

/** Leaves for a page with nothing kept in memory: where the person or the organization is another now. */
export function startAfresh(path: string): Promise<never> {
  location.assign(path)
  return new Promise(() => {})
}
