/** Where an address of a client leads, as people are shown it; null for what is no address. */
export function redirectHostOf(address: string): string | null {
  const redirect = URL.parse(address)
  if (!redirect) return null
  return redirect.protocol.startsWith('http') ? redirect.hostname : `${redirect.protocol}//${redirect.host}`
}
