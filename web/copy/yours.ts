/** What is shown to who is here for themselves alone. */
export const yours = {
  title: 'Yours',
  text: 'What you have to do here, and what you are responsible for.',
  none: 'Nothing.',
  due: 'Due',
  wasDue: 'Was due',
}
