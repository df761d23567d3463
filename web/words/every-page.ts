export const everyPage = {
  name: 'Plumbline',
  titleOf: (page: string) => `${page} · Plumbline`,
  loading: 'Loading',
  missing: {
    title: 'Nothing is here',
    text: 'The address may be mistyped, or what was here is gone.',
    back: 'Go to the overview',
  },
}
