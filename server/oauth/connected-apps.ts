import { sql } from 'kysely'
import { z } from 'zod'
import { idOf } from '../../model/fields.ts'
import { actingUserOf, actorOf, type Caller } from '../caller/caller.ts'
import { build } from '../database/build.ts'
import type { Transaction } from '../database/transaction.ts'
import { audit } from '../journal/audit.ts'
import { capability, confirmed, operation, own } from '../operation.ts'
import { behind, type Order, orderBy, PAGE, page, pageOf, readCursor } from '../records/paging.ts'
import { notFound } from '../refusal.ts'
import {
  APP_STATE,
  APP_STATES,
  type AppRow,
  appOf,
  connectedApp,
  endApp,
  readApp,
  SELECT_APPS,
} from './connected-app-record.ts'

/*
 * Connected apps: what people let in through OAuth. Everybody sees and ends their own, admins all of the
 * organization. Apps and keys know nothing of each other: ending one leaves the other as it is.
 */
const ORDER: Order = {
  sort: '-createdAt',
  column: sql.ref('a.created_at'),
  id: sql.ref('a.id'),
  descending: true,
}

const id = z.string().min(1).max(100).meta({ title: 'Id' })
const state = z.array(z.enum(APP_STATES)).min(1).optional()
const ENDS = 'All its tokens end at once, on every process. API keys are not touched.'

export const listMyConnectedApps = operation({
  name: 'listMyConnectedApps',
  method: 'GET',
  path: '/v1/account/connected-apps',
  needs: own(),
  writes: false,
  title: 'List your connected apps',
  description: 'What you let in with your sign-in, in this organization.',
  input: z.strictObject({ ...PAGE, state }),
  output: pageOf(connectedApp),
  run: ({ tx, caller }, input) => list(tx, { ...input, userId: [caller.userId] }),
})

export const revokeMyConnectedApp = operation({
  name: 'revokeMyConnectedApp',
  method: 'POST',
  path: '/v1/account/connected-apps/{id}/revoke',
  needs: own(),
  writes: true,
  title: 'Revoke one of your connected apps',
  description: ENDS,
  input: z.strictObject({ id }),
  output: connectedApp,
  annotations: { destructive: true, idempotent: true },
  run: async ({ tx, caller }, { id }) => {
    const app = await readApp(tx, id)
    if (app.approvedBy.id !== caller.userId) throw notFound()
    return revoke(tx, caller, id)
  },
})

export const listConnectedApps = operation({
  name: 'listConnectedApps',
  method: 'GET',
  path: '/v1/connected-apps',
  needs: capability('settings.manage'),
  writes: false,
  title: 'List the connected apps of the organization',
  input: z.strictObject({
    ...PAGE,
    state,
    userId: z.array(idOf('usr')).min(1).optional().describe('Of these people'),
  }),
  output: pageOf(connectedApp),
  run: ({ tx }, input) => list(tx, input),
})

export const revokeConnectedApp = operation({
  name: 'revokeConnectedApp',
  method: 'POST',
  path: '/v1/connected-apps/{id}/revoke',
  needs: confirmed(capability('settings.manage')),
  writes: true,
  title: 'Revoke a connected app',
  description: ENDS,
  input: z.strictObject({ id }),
  output: connectedApp,
  annotations: { destructive: true, idempotent: true },
  run: ({ tx, caller }, { id }) => revoke(tx, caller, id),
})

interface Asked {
  limit: number
  cursor?: string | undefined
  state?: string[] | undefined
  userId?: string[] | undefined
}

async function list(tx: Transaction, { limit, cursor, state, userId }: Asked) {
  const place = readCursor(cursor, ORDER.sort)
  const conditions = [
    sql`a.organization_id = ${tx.organizationId}`,
    ...(userId ? [sql`a.user_id = any(${userId})`] : []),
    ...(state ? [sql`${sql.raw(APP_STATE)} = any(${state})`] : []),
    ...(place ? [behind(ORDER, place)] : []),
  ]
  const rows = await tx.read<AppRow>(
    build(
      sql`${sql.raw(SELECT_APPS)} where ${sql.join(conditions, sql` and `)} ${orderBy(ORDER)} limit ${limit + 1}`,
    ),
  )
  return page(rows, limit, ORDER.sort, appOf, (row) => ({ value: row.createdAt, id: row.id }))
}

async function revoke(tx: Transaction, caller: Caller, id: string) {
  const ended = await endApp(tx, id, actingUserOf(caller) ?? actorOf(caller).id)
  if (ended)
    audit(tx, caller, {
      time: ended.now,
      action: 'connected_app.revoke',
      subject: { type: 'connected_app', id, title: ended.name },
      changes: { revokedAt: { from: null, to: ended.now } },
    })
  return readApp(tx, id)
}
