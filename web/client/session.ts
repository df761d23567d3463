import { queryOptions } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { call, type Output } from './calls.ts'
import { queries } from './queries.ts'

export type Session = Output<'getSession'>
export type SignedIn = Extract<Session, { state: 'signed_in' }>

export const sessionQuery = queryOptions({
  queryKey: ['getSession'],
  queryFn: () => call('getSession', {}),
  staleTime: 60_000,
})

export const SignedInContext = createContext<SignedIn | null>(null)

/** Whoever is signed in; for what is drawn behind sign-in only. */
export function useSignedIn(): SignedIn {
  const session = use(SignedInContext)
  if (!session) throw new Error('drawn without a session')
  return session
}

/** After somebody signed in: what was read before was not theirs. */
export async function sessionBegan(): Promise<void> {
  await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'getSession' })
}

/** Leaves for a page with nothing kept in memory: where the person or the organization is another now. */
export function startAfresh(path: string): Promise<never> {
  location.assign(path)
  return new Promise(() => {})
}
