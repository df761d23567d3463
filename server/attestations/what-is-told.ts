import type { NoticeFacts } from '../../model/notice-kinds.ts'
import type { Caller } from '../caller/caller.ts'
import { doneBy } from '../journal/tell.ts'

/* What people are told as they are asked to read a policy: the first time, and when they are reminded. */

export interface ToTell {
  readonly title: string
  readonly dueDate: string
  /** The version that they acknowledged before, if any. */
  readonly replaces: string | null
  /** What changed since that, or else since the version before, where there was one. */
  readonly changed: string | null
  /** What the owner of the policy is called, and their id, where it has one. */
  readonly owner: string | null
  readonly ownerId: string | null
}

/**
 * The same as facts of a notice, for a user: who asks is the owner of the policy, or else whoever published it.
 * @param id of the request, which leads them to the text
 */
export function factsOf(
  caller: Caller,
  id: string,
  { title, dueDate, replaces, changed, owner, ownerId }: ToTell,
  userId: string,
): NoticeFacts {
  const by = ownerId === userId ? null : (owner ?? doneBy(caller).by)
  return {
    ...{ about: title, page: `/to-read/${id}`, until: dueDate },
    ...(by && { by }),
    ...(replaces && { replaces }),
    ...(changed && { changed }),
  }
}

/**
 * Of the version `v` of the policy `p`, what the person `d` is told that changed: in it and in each that was published since
 * the one that they acknowledged last, the earliest first; or else in it alone, where another was published before.
 * @param note SQL of one of several, the version `e`
 */
export const changedFor = (note: string, between: string): string => `(
    select case when count(*) > 1 then string_agg(${note}, ${between} order by e.published_at)
                else min(e.changelog) end
      from policy_versions e
     where e.organization_id = p.organization_id and e.policy_id = p.id and e.changelog is not null
       and e.published_at <= v.published_at
       and e.published_at > coalesce((
             select max(b.published_at) from attestations s
               join policy_versions b on b.organization_id = s.organization_id and b.id = s.version_id
              where s.organization_id = p.organization_id and s.policy_id = p.id and s.personnel_id = d.id
                and s.status = 'acknowledged' and b.published_at < v.published_at), (
             select max(b.published_at) from policy_versions b
              where b.organization_id = p.organization_id and b.policy_id = p.id and b.published_at < v.published_at)))`

/** The same in a mail, where long notes leave room for each other. */
export const CHANGED = `left(${changedFor(`e.label || ' – ' || left(e.changelog, 300)`, `'; '`)}, 1000) as changed`

/** Of the policy `p`, who sees to it. */
export const OWNER = `coalesce(
    (select w.name from members w where w.organization_id = p.organization_id and w.user_id = p.owner_user_id),
    (select w.full_name from personnel w where w.organization_id = p.organization_id and w.id = p.owner_personnel_id)) as owner,
  coalesce(p.owner_user_id, p.owner_personnel_id) as "ownerId"`

/** Of the policy `p` and the person `d`, which version they acknowledged last. */
export const REPLACES = `(
    select b.label from attestations s
      join policy_versions b on b.organization_id = s.organization_id and b.id = s.version_id
     where s.organization_id = p.organization_id and s.policy_id = p.id and s.personnel_id = d.id
       and s.status = 'acknowledged'
     order by s.acknowledged_at desc limit 1) as replaces`
