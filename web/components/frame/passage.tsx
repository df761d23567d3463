import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLater } from '../../client/use-later.ts'

/** What makes one somebody else, or takes one elsewhere: it ends with another page, or did not go through. */
export interface Passage<Where = void> {
  go: (where: Where) => void
  isPending: boolean
  /** Kept while it is tried again. */
  failure: { error: Error; where: Where } | null
  stay: () => void
}

export function usePassage<Where = void>(pass: (where: Where) => Promise<unknown>): Passage<Where> {
  const [failure, setFailure] = useState<Passage<Where>['failure']>(null)
  const passing = useMutation({
    mutationFn: pass,
    onError: (error, where) => setFailure({ error, where }),
  })
  return { go: passing.mutate, isPending: passing.isPending, failure, stay: () => setFailure(null) }
}

/** Tells of a passage that did not go through. */
export function NotDone<Where>({
  passage: { go, isPending, failure, stay },
  words,
}: {
  passage: Passage<Where>
  words: { title: string; text: string; stay: string; again: string }
}) {
  const dialog = useLater('not done', () => import('./not-done-dialog.tsx'))
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
