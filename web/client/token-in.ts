/**
 * The token of a link. It stands behind the `#`, which no browser sends and no log sees.
 * @param hash with or without the `#`
 */
export const tokenIn = (hash: string): string | null =>
  new URLSearchParams(hash.replace('#', '')).get('token')
