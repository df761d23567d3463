/** Of whoever is answerable an answer tells more than a change takes. */
export function asGiven(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('refId' in value)) return value
  const { type, refId } = value as { type?: unknown; refId?: unknown }
  return { type, refId }
}
