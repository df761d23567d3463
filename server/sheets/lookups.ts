import { columnOf } from '../../model/column-names.ts'
import { isEmail } from '../../model/fields.ts'
import type { Kind } from '../../model/kind.ts'
import { inNumber } from '../../model/noun.ts'
import { isIdOf, nameColumn } from '../../model/roles.ts'
import { statement, statementOf } from '../database/connect.ts'
import type { Transaction } from '../database/transaction.ts'
import type { TransactionContext } from '../operation.ts'
import { aliasesAmong } from '../records/external-id-aliases.ts'
import { mayRead } from '../records/readable.ts'
import { exampleReference, isReferred, referenceIn, referenceSaid, referred } from '../records/reference.ts'
import { turned } from './names-turned.ts'

/*
 * Whom and what the words in cells stand for. A person is named by e-mail or name, a record by its reference, external
 * id, name or id; "VEN-12 Example Cloud" is what stands in exports. All that some rows name is read at once.
 */

/** What a word stands for, or why it stands for nothing. */
export type Meant<T> = { readonly is: T } | Unmeant

export interface Unmeant {
  readonly fault: string
  /** The words that no choice, or not just one person, is called by, so that somebody can say what they stand for. */
  readonly unknown?: readonly string[]
  /** Of people that are called so, their ids; none where nobody is. */
  readonly among?: readonly string[]
  /** Whether no record is called so, so that a row of the same file may add it. */
  readonly isNone?: true
}

export interface PrincipalRef {
  readonly type: 'user' | 'personnel'
  readonly refId: string
}

/** A letter with an accent is one sign or two, by who wrote it; both read the same. */
export const composed = (word: string): string => word.normalize('NFC')
/** Words in both of these forms: so they are found by an index, however they are kept. */
export const inBothForms = (words: readonly string[]): string[] => [
  ...new Set(words.flatMap((word) => [composed(word), word.normalize('NFD')])),
]

/** Nobody sees that there are two blanks between the parts of a name. */
const plain = (word: string): string => word.replaceAll(/\s+/g, ' ').trim()

const isSame = (name: string, word: string): boolean => {
  const one = composed(name).toLowerCase()
  const other = word.toLowerCase()
  return one === other || plain(one) === plain(other)
}

/** Names in all the forms in which they are looked for. */
const asNames = (words: readonly string[]): string[] => {
  const lower = words.map((word) => word.toLowerCase())
  return inBothForms([...new Set([...lower, ...lower.map(plain)])])
}

/** Words in cells, by what they are to stand for. */
export class Wanted {
  readonly people = new Set<string>()
  readonly records = new Map<Kind, Set<string>>()

  person(word: string): void {
    this.people.add(composed(word))
  }

  record(kind: Kind, word: string): void {
    const words = this.records.get(kind) ?? new Set()
    this.records.set(kind, words.add(composed(word)))
  }
}

export interface Lookups {
  person(word: string): Meant<PrincipalRef>
  record(kind: Kind, word: string): Meant<string>
}

/** Of words that no record of a kind is called by, what those stand for that rows of the same file add. */
export type Adds = (kind: Kind, words: readonly string[]) => Promise<ReadonlyMap<string, Meant<string>>>

export async function lookUp(context: TransactionContext, wanted: Wanted, adds: Adds): Promise<Lookups> {
  const [people, ...records] = await Promise.all([
    findPeople(context.tx, [...wanted.people]),
    ...[...wanted.records].map(async ([kind, words]) => {
      const found = mayRead(context.caller, kind) ? await findRecords(context.tx, kind, [...words]) : null
      return [kind, found && (await withAdded(kind, found, adds))] as const
    }),
  ])
  const byKind = new Map(records)
  return {
    person: (word) => people.get(composed(word)) ?? { fault: `nobody here is called ${word}` },
    record: (kind, word) => {
      const found = byKind.get(kind)
      if (!found) return { fault: `you may not read ${kind.noun.many}: leave it out` }
      return (
        found.get(composed(word)) ?? {
          fault: `no ${kind.noun.one} here is called ${word}: give its reference`,
        }
      )
    },
  }
}

async function withAdded(
  kind: Kind,
  found: ReadonlyMap<string, Meant<string>>,
  adds: Adds,
): Promise<ReadonlyMap<string, Meant<string>>> {
  const unknown = [...found].flatMap(([word, meant]) => ('isNone' in meant ? [word] : []))
  return unknown.length === 0 ? found : new Map([...found, ...(await adds(kind, unknown))])
}

interface Person {
  readonly type: 'user' | 'personnel'
  readonly id: string
  readonly name: string
  readonly email: string
  /** Of an entry in the directory: the user who is the same human. */
  readonly same: string | null
  readonly active: boolean
}

/** "Ada Lovelace [usr_…]" and "Ada Lovelace <ada@example.com>": what stands in brackets says who. */
const bracketed = (word: string): string => /[[<]([^[\]<>]+)[\]>]\s*$/.exec(word)?.[1]?.trim() ?? word

async function findPeople(
  tx: Transaction,
  words: readonly string[],
): Promise<Map<string, Meant<PrincipalRef>>> {
  if (words.length === 0) return new Map()
  const others = words.flatMap(turned)
  const rows = await tx.read<Person>(people(tx.organizationId, asNames([...words.map(bracketed), ...others])))
  const found = new Map(
    words.map((word) => {
      const one = bracketed(word)
      const by = (what: (person: Person) => string, is: string) =>
        rows.filter((person) => isSame(what(person), is))
      const name = (person: Person) => person.name
      const found = [
        by(({ id }) => id, one),
        by(({ email }) => email, one),
        by(name, one),
        turned(word).flatMap((other) => by(name, other)),
      ].find((all) => all.length > 0)
      return [word, found ?? []]
    }),
  )
  const unknown = words.filter((word) => found.get(word)!.length === 0)
  const forms = unknown.flatMap((word) => [word, ...turned(word)].map((form) => ({ word, form })))
  const more =
    unknown.length > 0
      ? await tx.read<Likewise>(likewise(tx.organizationId, [...new Set(forms.map(({ form }) => form))]))
      : []
  for (const { word: form, ...person } of more)
    for (const one of forms) if (one.form === form) found.get(one.word)!.push(person)
  return new Map([...found].map(([word, all]) => [word, theOne(word, all)]))
}

/** Somebody whose name is a word but for its accents, as a search finds them. */
interface Likewise extends Person {
  readonly word: string
}

/** Who has both a user and an entry in the directory is one: the user. Who may be given things goes before who may not. */
function theOne(word: string, found: readonly Person[]): Meant<PrincipalRef> {
  const active = found.some((one) => one.active) ? found.filter((one) => one.active) : found
  const humans = active.filter(({ same }) => same === null || !active.some(({ id }) => id === same))
  const [first, ...others] = humans
  const unknown = [word]
  const among = found.map(({ id }) => id)
  if (!first)
    return {
      fault: `nobody here is called ${word}: give the e-mail or the name of a person here`,
      ...{ unknown, among },
    }
  if (others.length > 0)
    return {
      ...{ unknown, among },
      fault: `${humans.length} are called ${word}: give an e-mail, such as ${humans
        .slice(0, 3)
        .map(({ email }) => email)
        .join(' or ')}`,
    }
  return { is: { type: first.type, refId: first.id } }
}

const people = statement(`
  select * from (
    select 'user' as type, m.user_id as id, m.name, u.email, null as same, m.status = 'active' as active
      from members m join users u on u.id = m.account_id
     where m.organization_id = $1 and m.status <> 'removed'
    union all
    select 'personnel', p.id, p.full_name, p.work_email, p.user_id, p.status <> 'former'
      from personnel p where p.organization_id = $1) everyone
   where lower(id) = any($2) or lower(email) = any($2) or lower(name) = any($2)`)

/** What people are called, by their ids; those who are nobody here are left out. */
export async function namesOfPeople(
  tx: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.read<Pick<Person, 'id' | 'name'>>(called(tx.organizationId, ids))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const called = statement(`
  select user_id as id, name from members where organization_id = $1 and user_id = any($2) and status <> 'removed'
  union all
  select id, full_name from personnel where organization_id = $1 and id = any($2)`)

/** Of the directory, which may be long, by the index of what records are called. */
const likewise = statement(`
  with wanted as materialized (
    select word, (normalize_for_search(array[word])) collate "C" as letters from unnest($2::text[]) word)
  select w.word, 'user' as type, m.user_id as id, m.name, u.email, null as same, m.status = 'active' as active
    from wanted w
    join members m on m.organization_id = $1 and m.status <> 'removed'
                  and normalize_for_search(array[m.name]) = w.letters
    join users u on u.id = m.account_id
  union all
  select w.word, 'personnel', p.id, p.full_name, p.work_email, p.user_id, p.status <> 'former'
    from wanted w
    join known_records k on k.organization_id = $1 and k.kind = 'personnel'
                        and (normalize_for_search(array[k.called])) collate "C" = w.letters
    join personnel p on p.organization_id = $1 and p.id = k.id`)

interface Called {
  readonly id: string
  readonly reference: string
  readonly externalId: string | null
  readonly name: string
  readonly code: string | null
  readonly email: string | null
}

/** Where the records of a kind are people, the field of the e-mail that tells each. */
export const emailOf = ({ unique, fields }: Kind): string | undefined =>
  Object.values(unique ?? {}).find(([name, ...more]) => more.length === 0 && isEmail(fields[name!]!))?.[0]

async function findRecords(
  tx: Transaction,
  kind: Kind,
  words: readonly string[],
): Promise<Map<string, Meant<string>>> {
  const others = words.filter((word) => kind.referencedBy || referenceSaid(kind, word) === null)
  const names = emailOf(kind) ? [...others, ...others.flatMap(turned)] : others
  const [rows, aliases] = await Promise.all([
    tx.read<Called>(
      finding(kind)(
        tx.organizationId,
        others.filter((word) => isIdOf(kind, word)),
        referred(kind, words),
        others,
        asNames(names),
      ),
    ),
    aliasesAmong(tx, kind, others),
  ])
  return new Map(
    words.map((word) => {
      const ledTo = aliases.get(word)
      const isOwn = rows.some(({ id, externalId }) => id === word || externalId === word)
      return [word, ledTo && !isOwn ? { is: ledTo.id } : meant(kind, word, rows)]
    }),
  )
}

function meant(kind: Kind, word: string, rows: readonly Called[]): Meant<string> {
  const reference = referenceSaid(kind, word)
  const found =
    reference === null || kind.referencedBy
      ? [
          rows.filter(({ id }) => id === word),
          rows.filter(({ externalId }) => externalId === word),
          rows.filter((row) => row.reference === reference),
          rows.filter(({ email }) => email !== null && isSame(email, word)),
          rows.filter(({ code }) => code !== null && isSame(code, word)),
          rows.filter(({ name }) => isSame(name, word)),
          emailOf(kind) ? rows.filter(({ name }) => turned(word).some((other) => isSame(name, other))) : [],
        ].find((all) => all.length > 0)
      : rows.filter((row) => row.reference === reference)
  const [first, ...others] = found ?? []
  if (!first)
    return {
      isNone: true,
      unknown: [word],
      fault: `no ${kind.noun.one} here is called ${word}: give a reference, such as ${exampleReference(kind)}, an external id${kind.coded ? ', a code' : ''}${emailOf(kind) ? ', an e-mail' : ''} or a name`,
    }
  if (others.length > 0)
    return {
      fault: `${others.length + 1} ${inNumber(kind.noun, others.length + 1)} are called ${word}: give the reference, such as ${[
        first,
        ...others,
      ]
        .slice(0, 3)
        .map((one) => one.reference)
        .join(' or ')}`,
    }
  return { is: first.id }
}

const finding = statementOf((kind: Kind) => {
  const code = kind.coded ? columnOf(kind.coded) : 'null::text'
  const email = emailOf(kind) ? columnOf(emailOf(kind)!) : 'null::text'
  const isCalled = [columnOf(kind.named), code, email]
    .map((column) => `lower(${column}) = any($5)`)
    .join(' or ')
  return `
  select id, ${referenceIn(kind)} as reference, external_id as "externalId", ${nameColumn(kind)} as name, ${code} as code,
         ${email} as email
    from ${kind.table}
   where organization_id = $1
     and (id = any($2) or ${isReferred(kind, '$3')} or external_id = any($4)
       or (cardinality($5::text[]) > 0 and (${isCalled})))`
})
