import { archiveReadNotices, countUnreadNotices, listNotices, readAllNotices, updateNotice } from './inbox.ts'
import { listMails } from './mail-log.ts'
import { getNoticeSettings, updateNoticeSettings } from './settings.ts'

export const noticeOperations = {
  listNotices,
  countUnreadNotices,
  updateNotice,
  readAllNotices,
  archiveReadNotices,
  getNoticeSettings,
  updateNoticeSettings,
  listMails,
}
