import { z } from 'zod'
import { needsOf, needsToRead } from '../../model/access.ts'
import { comparedWords, flag, isOneLine, NOT_ONE_LINE } from '../../model/fields.ts'
import { everyKind } from '../../model/kinds/index.ts'
import { byPerson, type Needs } from '../../model/needs.ts'
import { actorOf, type Caller, isCapable } from '../caller/caller.ts'
import { refuseUnlessAllowed } from '../caller/rights.ts'
import { statement } from '../database/connect.ts'
import { newId } from '../database/ids.ts'
import { NATURALLY } from '../database/natural-order.ts'
import { audit, type Subject } from '../journal/audit.ts'
import { capability, nothing, operation, own } from '../operation.ts'
import { notFound, Refusal } from '../refusal.ts'
import { ID } from './schemas.ts'

/*
 * Views of a register under a name: its filters, search, order and grouping, as they stand in the address of its
 * page. One is its maker's alone, or everybody's in the organization. What it shows is judged when it is opened, so
 * it opens nothing to anybody.
 */

/** Of a person, and of all together, for each kind. */
const AT_MOST = 50
const PATH = '/v1/saved-views'

const savedView = z
  .object({
    id: z.string(),
    kind: z.string().describe('The kind whose register it is of'),
    name: z.string(),
    query: z.string().describe('Of the address of the register, without the question mark'),
    isShared: z.boolean(),
    mayDelete: z.boolean().describe('Whether the caller may delete it'),
    createdAt: z.string(),
    createdBy: z.object({ type: z.string(), id: z.string(), displayName: z.string() }),
  })
  .meta({ id: 'SavedView', title: 'Saved view' })

function decodes(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const NO_QUERY = 'is no query: give what stands behind the ? of the address of the register'

const kind = z.enum(everyKind.map(({ name }) => name)).meta({ title: 'Kind' })

export const listSavedViews = operation({
  name: 'listSavedViews',
  method: 'GET',
  path: PATH,
  needs: own(),
  writes: false,
  title: 'List the saved views of a register',
  description: 'Your own, and those that are shared.',
  input: z.strictObject({ kind }),
  output: z.object({ data: z.array(savedView), nextCursor: z.null() }),
  needsFor: ({ kind }) => [needsOfView(kind)],
  run: async ({ tx, caller }, { kind }) => {
    const rows = await tx.read<SavedView>(list(tx.organizationId, kind, caller.userId))
    return { data: rows.map((row) => viewOf(row, caller)), nextCursor: null }
  },
})

export const createSavedView = operation({
  name: 'createSavedView',
  method: 'POST',
  path: PATH,
  needs: own(),
  writes: true,
  title: 'Save a view of a register',
  description: 'Whoever shares one must be allowed to change the records.',
  input: z.strictObject({
    kind,
    name: comparedWords(80).refine(isOneLine, NOT_ONE_LINE).meta({ title: 'Name' }),
    query: z
      .string()
      .max(4_000)
      .regex(/^[^?#\s]*$/, { error: NO_QUERY, abort: true })
      .refine(decodes, NO_QUERY)
      .meta({ title: 'Query' })
      .describe('Of the address of the register, without the question mark'),
    isShared: flag('Shared').default(false).describe('With everybody in the organization'),
  }),
  output: savedView,
  refusals: ['conflict'],
  example: { kind: 'risk', name: 'Open legal risks', query: 'status=identified&category=legal' },
  location: ({ id }) => `${PATH}/${id}`,
  needsFor: ({ kind, isShared }) => [needsOfView(kind, isShared)],
  run: async ({ tx, caller }, { kind, name, query, isShared }) => {
    const [[counted], createdAt] = await Promise.all([
      tx.read<{ count: number; isTaken: boolean }>(
        count(tx.organizationId, kind, isShared ? null : caller.userId, name),
      ),
      tx.now,
    ])
    if (counted!.isTaken)
      throw new Refusal(
        'conflict',
        `There is a view ${name} already: choose another name, or delete that one.`,
      )
    if (counted!.count >= AT_MOST)
      throw new Refusal('conflict', `There are ${AT_MOST} views already: delete one that nobody uses.`)
    const row: SavedView = {
      id: newId('view'),
      kind,
      name,
      query,
      isShared,
      createdAt,
      createdBy: actorOf(caller),
    }
    const owner = isShared ? null : caller.userId
    tx.write(
      insert(tx.organizationId, row.id, kind, name, query, owner, createdAt, JSON.stringify(row.createdBy)),
    )
    audit(tx, caller, {
      time: createdAt,
      action: 'saved_view.create',
      subject: subjectOf(row),
      changes: { isShared: { from: null, to: isShared } },
    })
    return viewOf(row, caller)
  },
})

export const deleteSavedView = operation({
  name: 'deleteSavedView',
  method: 'DELETE',
  path: `${PATH}/{id}`,
  needs: own(),
  writes: true,
  title: 'Delete a saved view',
  description: 'Your own; a shared one is deleted by who made it, and by admins.',
  input: z.strictObject({ id: ID }),
  output: nothing,
  annotations: { destructive: true, idempotent: true },
  run: async ({ tx, caller }, { id }) => {
    const [[row], now] = await Promise.all([
      tx.read<SavedView>(find(tx.organizationId, id, caller.userId)),
      tx.now,
    ])
    if (!row) throw notFound()
    if (!isOwn(row, caller)) refuseUnlessAllowed(capability('settings.manage'), caller, {})
    tx.write(remove(tx.organizationId, id))
    audit(tx, caller, {
      time: now,
      action: 'saved_view.delete',
      subject: subjectOf(row),
    })
    return null
  },
})

interface SavedView {
  id: string
  kind: string
  name: string
  query: string
  isShared: boolean
  createdAt: string
  createdBy: { type: string; id: string; displayName: string }
}

/** Every admin reads the log, and what is one's own is nobody else's: so it has no name there. */
const subjectOf = ({ id, name, isShared }: SavedView): Subject => ({
  type: 'saved_view',
  id,
  ...(isShared ? { title: name } : {}),
})

const viewOf = (row: SavedView, caller: Caller) => ({
  ...row,
  mayDelete: isOwn(row, caller) || isCapable(caller, 'settings.manage'),
})

const isOwn = ({ createdBy }: SavedView, caller: Caller): boolean => createdBy.id === caller.userId

/** Of a view that is shared, what it takes to change the records it shows, or to add one where none is changed. */
function needsOfView(name: string, isShared = false): Needs {
  const kind = everyKind.find((one) => one.name === name)!
  const shared = needsOf(kind, 'update') ?? needsOf(kind, 'create') ?? capability('settings.manage')
  return byPerson(isShared ? shared : needsToRead(kind))
}

const COLUMNS = `id, kind, name, query, user_id is null as "isShared", created_at as "createdAt",
  created_by as "createdBy"`

const list = statement(
  `select ${COLUMNS} from saved_views
    where organization_id = $1 and kind = $2 and (user_id = $3 or user_id is null)
    order by name ${NATURALLY}, id`,
)
const find = statement(
  `select ${COLUMNS} from saved_views
    where organization_id = $1 and id = $2 and (user_id = $3 or user_id is null)`,
)
const count = statement(
  `select count(*) as count, coalesce(bool_or(lower(name) = lower($4)), false) as "isTaken" from saved_views
    where organization_id = $1 and kind = $2 and user_id is not distinct from $3`,
)
const insert = statement(
  `insert into saved_views (organization_id, id, kind, name, query, user_id, created_at, created_by)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)
const remove = statement('delete from saved_views where organization_id = $1 and id = $2')
