import { archiveReadNotices, countUnreadNotices, listNotices, readAllNotices, updateNotice } from './inbox.ts'

export const noticeOperations = {
  listNotices,
  countUnreadNotices,
  updateNotice,
  readAllNotices,
  archiveReadNotices,
}
