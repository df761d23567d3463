/** What the tools, resources and prompts of the suite are asked to hold. */

export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='

/** A header of WAVE and no sound. */
export const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA='

export const text = (words: string) => ({ type: 'text' as const, text: words })
export const said = (words: string) => ({ content: [text(words)] })
export const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' }

export const resource = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
})

/** What a person is asked for, by name of the field. */
export const asking = (field: string) => ({
  type: 'object' as const,
  properties: { [field]: { type: 'string' as const } },
  required: [field],
})
