import { QueryClient } from '@tanstack/react-query'
import { Problem } from './problem.ts'

const TRIES = 2

/** What was read, kept for as long as somebody looks at it. A refusal is an answer: it is not asked again. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (tried, error) =>
        tried < TRIES && (!(error instanceof Problem) || error.status === 0 || error.status === 503),
    },
  },
})
