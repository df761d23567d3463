import { useMutation } from '@tanstack/react-query'
import { call, type Input } from '../../client/calls.ts'
import { readAgain } from '../../client/use-answer.ts'
import type { Row } from '../../client/use-pages.ts'

export type Notice = Row<'listNotices'>

export const readInboxAgain = (): Promise<unknown> => readAgain('listNotices', 'countUnreadNotices')

/** Changes notices one at a time. */
export const useNoticeChange = () =>
  useMutation({
    mutationFn: (change: Input<'updateNotice'>) => call('updateNotice', change),
    onSettled: readInboxAgain,
  })
