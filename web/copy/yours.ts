/** What is shown to who is here for themselves alone. */
export const yours = {
  title: 'Yours',
  text: 'What is yours to do here, and what you answer for.',
  none: 'Nothing.',
  due: 'Due',
}
