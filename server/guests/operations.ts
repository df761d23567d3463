import { confirmGuestCode, sendGuestCode } from './guest-codes.ts'
import { closeGuestPass, getGuestPass, openGuestPass, previewGuestPass } from './guest-entrance.ts'
import { extendGuestPass, listGuestPasses, revokeGuestPass, sendGuestLink } from './passes.ts'

/** Who is let in without being a member: for members, the passes of a record. */
export const guestPassOperations = {
  listGuestPasses,
  extendGuestPass,
  revokeGuestPass,
  sendGuestLink,
} as const

/** What guests do: come in, prove their mailbox, leave. */
export const guestOperations = {
  openGuestPass,
  previewGuestPass,
  getGuestPass,
  sendGuestCode,
  confirmGuestCode,
  closeGuestPass,
} as const
