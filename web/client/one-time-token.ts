import { useLocation } from '@tanstack/react-router'
import { tokenIn } from './token-in.ts'

/**
 * The token of a link that works once.
 * @returns null where the address has none
 */
export function useOneTimeToken(): string | null {
  return useLocation({ select: ({ hash }) => tokenIn(hash) })
}
