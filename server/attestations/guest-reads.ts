import { z } from 'zod'
import { idOf } from '../../model/fields.ts'
import { streamed } from '../bytes.ts'
import { guestOf } from '../guests/guest-session.ts'
import { confirmed, guest, operation } from '../operation.ts'
import {
  acknowledge,
  assertAsRead,
  CONSENT,
  CORRECTION,
  PICTURE,
  readFileToRead,
  readPictureToRead,
  readText,
  textToRead,
} from './say.ts'

/* For who does not sign in, and came by a link. To say that they read it takes the mailbox as well. */

export const readPolicyAsGuest = operation({
  name: 'readPolicyAsGuest',
  title: 'Read the policy of a guest pass',
  by: 'guest',
  needs: guest('attest'),
  writes: true,
  input: z.strictObject(CORRECTION),
  output: textToRead,
  run: ({ tx, caller }, { correction }) => readText(tx, { passId: guestOf(caller).id, correction }),
})

export const downloadPolicyAsGuest = operation({
  name: 'downloadPolicyAsGuest',
  title: 'Download the policy of a guest pass, where it is a file',
  by: 'guest',
  needs: guest('attest'),
  writes: false,
  answers: 'stream',
  input: z.strictObject(CORRECTION),
  output: streamed,
  run: (context, { correction }) =>
    readFileToRead(context, { passId: guestOf(context.caller).id, correction }),
})

export const downloadPictureAsGuest = operation({
  name: 'downloadPictureAsGuest',
  isShownOnPage: true,
  title: 'Download a picture of the policy of a guest pass',
  by: 'guest',
  needs: guest('attest'),
  writes: false,
  answers: 'stream',
  input: z.strictObject({ ...PICTURE, ...CORRECTION }),
  output: streamed,
  run: (context, { sha256, correction }) =>
    readPictureToRead(context, { passId: guestOf(context.caller).id, correction }, sha256),
})

const READ = {
  id: idOf('pat')
    .meta({ title: 'Attestation', refersTo: 'pat' })
    .describe('Of what was read: a browser may have opened another link since'),
}

/** Before a code is asked for, whose answer would come too late for whoever has typed it. */
export const checkPolicyAsGuest = operation({
  name: 'checkPolicyAsGuest',
  title: 'Ask whether a text is still the one that is asked about',
  by: 'guest',
  needs: guest('attest'),
  writes: false,
  input: z.strictObject({ ...READ, contentSha256: CONSENT.contentSha256 }),
  output: z.object({ isAsked: z.literal(true) }),
  run: async ({ tx, caller }, { id, contentSha256 }) => {
    await assertAsRead(tx, { passId: guestOf(caller).id, id }, contentSha256)
    return { isAsked: true as const }
  },
})

export const acknowledgePolicyAsGuest = operation({
  name: 'acknowledgePolicyAsGuest',
  title: 'Acknowledge the policy of a guest pass',
  by: 'guest',
  needs: confirmed(guest('attest')),
  writes: true,
  input: z.strictObject({ ...READ, ...CONSENT }),
  output: textToRead,
  run: (context, { id, ...consent }) =>
    acknowledge(context, { passId: guestOf(context.caller).id, id }, consent),
})
