import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { usePreloaded } from '../../client/use-preloaded.ts'

/** What makes one somebody else, or takes one elsewhere: it ends with another page, or did not go through. */
export interface SessionChange<Where = void> {
  go: (where: Where) => void
  isPending: boolean
  /** Kept while it is tried again. */
  failure: { error: Error; where: Where } | null
  stay: () => void
}

export function useSessionChange<Where = void>(
  pass: (where: Where) => Promise<unknown>,
): SessionChange<Where> {
  const [failure, setFailure] = useState<SessionChange<Where>['failure']>(null)
  const passing = useMutation({
    mutationFn: pass,
    onError: (error, where) => setFailure({ error, where }),
  })
  return { go: passing.mutate, isPending: passing.isPending, failure, stay: () => setFailure(null) }
}

/** Tells of a change that did not go through. */
export function NotDone<Where>({
  change: { go, isPending, failure, stay },
  words,
}: {
  change: SessionChange<Where>
  words: { title: string; text: string; stay: string; again: string }
}) {
  const dialog = usePreloaded('not done', () => import('./not-done-dialog.tsx'))
  if (!failure || !dialog) return null
  const { error, where } = failure
  return (
    <dialog.NotDoneDialog
      words={words}
      error={error}
      isPending={isPending}
      again={() => go(where)}
      stay={stay}
    />
  )
}
