import type { Task } from '../clock/clock.ts'
import { statement } from '../database/connect.ts'
import type { Parts } from '../operation.ts'
import { mailNotices } from './mail-notices.ts'

/** For so long a notice can be found, in the archive as well. */
const KEPT_DAYS = 400

const removeOldNotices = ({ database }: Parts) => database.engine.query(removeOld())

const removeOld = statement(`
  delete from notices n using (
    select organization_id, id from notices where created_at <= clock_now() - interval '${KEPT_DAYS} days'
     order by created_at limit 5000) old
   where n.organization_id = old.organization_id and n.id = old.id`)

/** For so long the log tells of a mail. */
const MAILS_KEPT_DAYS = 90

const removeOldMails = ({ database }: Parts) => database.engine.query(removeMails())

const removeMails = statement(`
  delete from notice_mails n using (
    select organization_id, id from notice_mails where ended_at <= clock_now() - interval '${MAILS_KEPT_DAYS} days'
     order by ended_at limit 5000) old
   where n.organization_id = old.organization_id and n.id = old.id`)

/** What time alone does with notices. */
export const noticeTasks: readonly Task[] = [
  { name: 'mails about notices', everyMinutes: 1, runApart: mailNotices, marksItsParts: true },
  { name: 'notices that were kept long enough', everyMinutes: 60, runApart: removeOldNotices },
  { name: 'mails that were logged long enough', everyMinutes: 60, runApart: removeOldMails },
]
