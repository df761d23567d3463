import { counted, countWord } from './counts.ts'

/** What somebody was told of, and what they do about it. */
export const inbox = {
  title: 'Inbox',
  text: 'What you were given, asked and told, the newest first.',
  bell: (unread: number) =>
    unread === 0 ? 'Inbox' : `Inbox, ${counted(unread, 'unread notice', 'unread notices')}`,
  count: (unread: number) => (unread >= 100 ? '99+' : countWord(unread)),
  views: { inbox: 'Inbox', snoozed: 'Snoozed', archived: 'Archived' },
  show: 'Show',
  unread: 'New',
  read: 'Earlier',
  none: {
    inbox: {
      title: 'Nothing is waiting here',
      text: 'You are told here when somebody gives you a record, asks you for something, or decides what you asked.',
    },
    snoozed: { title: 'Nothing is snoozed', text: 'What you snooze comes back here by itself.' },
    archived: { title: 'Nothing is archived', text: 'What you have dealt with can be put away here.' },
  },
  seen: 'Nothing new.',
  earlier: (count: number) => `${countWord(count)} more about it`,
  earlierOf: (count: number, title: string) => `${countWord(count)} more about ${title}`,
  unreadMark: 'New:',
  open: 'Open them',
  openOther: 'Open it',
  markRead: 'Mark as read',
  markUnread: 'Mark as new',
  archive: 'Archive',
  back: 'Move to inbox',
  wake: 'Bring back now',
  readAll: 'Mark all as read',
  archiveRead: 'Archive all read',
  until: 'until',
  snooze: {
    act: 'Snooze',
    later: 'In three hours',
    tomorrow: 'Tomorrow morning',
    week: 'Next week',
    month: 'In a month',
    choose: 'Another time',
    title: 'Snooze',
    text: 'It leaves the inbox and comes back as new at that time.',
    at: 'Come back',
    submit: 'Snooze',
  },
  keys: 'Keys: j next, k previous, Enter opens, e archives, u marks as read or new.',
}
