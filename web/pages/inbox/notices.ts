import { useMutation } from '@tanstack/react-query'
import { call, type Input } from '../../client/calls.ts'
import { readAgain } from '../../client/use-answer.ts'
import type { Row } from '../../client/use-pages.ts'

export type Notice = Row<'listNotices'>

export const VIEWS = ['inbox', 'snoozed', 'archived'] as const
export type View = (typeof VIEWS)[number]

export const readInboxAgain = (): Promise<unknown> => readAgain('listNotices', 'countUnreadNotices')

/** Changes notices one at a time. */
export const useNoticeChange = () =>
  useMutation({
    // What is to be seen again is that one; else all of its row.
    mutationFn: (change: Input<'updateNotice'>) =>
      call('updateNotice', { andEarlier: change.isRead !== false, ...change }),
    onSettled: readInboxAgain,
  })
