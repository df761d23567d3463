import { archiveReadNotices, countUnreadNotices, listNotices, readAllNotices, updateNotice } from './inbox.ts'
import { listNoticeMails } from './mail-log.ts'
import { getNoticeSettings, updateNoticeSettings } from './settings.ts'

export const noticeOperations = {
  listNotices,
  countUnreadNotices,
  updateNotice,
  readAllNotices,
  archiveReadNotices,
  getNoticeSettings,
  updateNoticeSettings,
  listNoticeMails,
}
