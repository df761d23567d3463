import type { Form } from '../client/fields.ts'

/** Whether a value is one that a field of this form can show: what was written long ago may be none. */
export function fits(form: Form, value: unknown): boolean {
  if (value === null || value === undefined) return true
  switch (form) {
    case 'choices':
    case 'words':
      return Array.isArray(value) && value.every((one) => typeof one === 'string')
    case 'day':
    case 'instant':
      return typeof value === 'string' && isTime(value)
    case 'flag':
      return typeof value === 'boolean'
    case 'number':
      return typeof value === 'number'
    case 'principal':
      return typeof value === 'string' || (typeof value === 'object' && 'displayName' in value)
    case 'object':
    case 'pairs':
      return typeof value === 'object' && !Array.isArray(value)
    case 'objects':
      return Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null)
    case 'other':
      return true
    default:
      return typeof value === 'string'
  }
}

export const isTime = (text: string) => !Number.isNaN(Date.parse(text))
