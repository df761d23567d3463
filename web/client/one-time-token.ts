import { useLocation } from '@tanstack/react-router'

/**
 * The token of a link that works once. It stands behind the `#`, which no browser sends and no log sees.
 * @returns null where the address has none
 */
export function useOneTimeToken(): string | null {
  return useLocation({ select: ({ hash }) => new URLSearchParams(hash).get('token') })
}
