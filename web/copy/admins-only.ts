/** What somebody reads who came to a page that is for admins. */
export const adminsOnly = {
  title: 'Only admins can open this page',
  text: (page: string, organization: string, role: string) =>
    `“${page}” belongs to the settings of ${organization}. You are signed in there as ${role}, and settings are for admins.`,
  settings: 'Settings',
  ask: 'Ask an admin of the organization to look for you, or to change your role:',
  back: 'Go to the overview',
  elsewhere: 'Change organization',
}
