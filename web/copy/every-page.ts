export const everyPage = {
  name: 'Plumbline',
  titleOf: (page: string) => `${page} · Plumbline`,
  loading: 'Loading',
  missing: {
    title: 'Page not found',
    text: 'The address may be mistyped, or the page no longer exists.',
    back: 'Go to the overview',
  },
}
