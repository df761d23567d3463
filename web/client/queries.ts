import { MutationCache, notifyManager, QueryClient } from '@tanstack/react-query'
import { isOutOfDate, isUnreached } from './problem.ts'

const TRIES = 2

/*
 * What was changed or read is drawn before anything else happens. By a timer, as it would be else, a box that was ticked
 * springs back until the timer has run, and whoever clicks meanwhile does so on what is so no more.
 */
notifyManager.setScheduler(queueMicrotask)

/**
 * What was read, kept for as long as somebody looks at it. A refusal is an answer: it is not asked again. What the
 * browser thinks of its network is not asked at all: the service may run on this machine, and where it is not
 * reached, that is told rather than waited out.
 *
 * What is refused because others changed something meanwhile is told once all that is shown was read again: whoever
 * tries again does so on what is so now.
 */
export const queries: QueryClient = new QueryClient({
  mutationCache: new MutationCache({
    onError: async (error) => {
      if (isOutOfDate(error)) await queries.invalidateQueries()
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      networkMode: 'always',
      retry: (tried, error) => tried < TRIES && isUnreached(error),
    },
    mutations: { networkMode: 'always' },
  },
})
