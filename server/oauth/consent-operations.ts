import { z } from 'zod'
import { anySession, confirmed, operation, own, settingUp } from '../operation.ts'
import { scopeName } from '../organization/api-key-record.ts'
import { approve, consentRequest, consentRequestOf, deny } from './consent.ts'
import { consentPath } from './routes.ts'

/*
 * The calls of the page that asks a person whether a program may come in: what is asked, yes, and no. They lie at
 * paths of their own, below the page: the browser sends the cookie of a request there and nowhere else. Each answer
 * says where the browser goes next; the page takes it there itself.
 */
const at = (step: string): string => `${consentPath('{uid}')}/${step}`
const uid = z.string()
const goingOn = z.object({ returnTo: z.string() })

export const getConsentRequest = operation({
  name: 'getConsentRequest',
  by: 'session',
  path: at('request'),
  needs: anySession(),
  title: 'Read what a program asks for',
  input: z.strictObject({ uid }),
  output: consentRequest,
  run: async ({ parts, session, pendingConsent }, { uid }) => ({
    body: await consentRequestOf(parts, await pendingConsent(uid), session),
  }),
})

/** An app outlives the session: so who says yes has just proved who they are. */
export const approveConsentRequest = operation({
  name: 'approveConsentRequest',
  by: 'session',
  path: at('approve'),
  needs: settingUp(confirmed(own())),
  title: 'Let a program in',
  input: z.strictObject({
    uid,
    organizationId: z.string().min(1).max(100),
    scopes: z.array(scopeName).max(100),
  }),
  output: goingOn,
  run: async (context, { uid, ...answer }) => ({
    body: { returnTo: await approve(context, await context.pendingConsent(uid), answer) },
  }),
})

/** Whoever sits there may say no. */
export const denyConsentRequest = operation({
  name: 'denyConsentRequest',
  by: 'anybody',
  path: at('deny'),
  title: 'Let a program not in',
  input: z.strictObject({ uid }),
  output: goingOn,
  run: async ({ parts, pendingConsent }, { uid }) => ({
    body: { returnTo: await deny(parts, await pendingConsent(uid)) },
  }),
})
