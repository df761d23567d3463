/** What their input says. */
export const customFields = {
  text: 'Facts of your own, each by a name.',
  name: 'Name',
  value: 'Value',
  nameOf: (at: number) => `Name ${at}`,
  valueOf: (name: string, at: number) => (name ? `Value of ${name}` : `Value ${at}`),
  add: 'Add custom field',
  remove: (name: string, at: number) => `Remove ${name || `custom field ${at}`}`,
  nameless: 'Give each value a name.',
  empty: (name: string) => `Give “${name}” a value, or remove it.`,
  twice: (name: string) => `“${name}” is there twice: give each name once.`,
  noJson: (name: string) => `“${name}” holds JSON, and this is none.`,
}
