import { needsToRead } from '../../../model/access.ts'
import type { KindEntry } from '../../../model/described-kind.ts'
import { allowsRole, type Needs } from '../../../model/needs.ts'
import { ROLE_CAPABILITIES, ROLE_SCOPES, type Role } from '../../../model/scopes.ts'
import { everyKind } from '../../client/kinds.ts'
import { DataTable } from '../../components/data-table.tsx'
import { help } from '../../copy/help.ts'
import { roleWords } from '../../copy/roles.ts'

const words = help.people

/** What is to be done with records of the kind beside reading them. */
const changing = ({ read, ...others }: KindEntry['access']): readonly Needs[] => Object.values(others)

const isOpenTo = ({ access }: KindEntry, role: Role): boolean =>
  changing(access).every((needs) => allowsRole(needs, role))

/** The kinds whose records some act asks a role of their own for, or the others. */
const othersAmong = (isReserved: boolean): readonly KindEntry[] =>
  everyKind.filter(({ access }) => changing(access).some(({ role }) => role !== undefined) === isReserved)

/** The kinds that leave something to whom a record names, whatever their role. */
const leftToPeople = everyKind.filter(({ leftTo }) => leftTo !== undefined)

const ROLES = ['viewer', 'editor', 'admin'] as const

/** What stands for each line, among what the service judges by. */
const RIGHTS: Readonly<Record<keyof typeof words.rights, (role: Role) => boolean>> = {
  read: (role) => everyKind.every((kind) => allowsRole(needsToRead(kind), role)),
  write: (role) => othersAmong(false).every((kind) => isOpenTo(kind, role)),
  reserved: (role) => othersAmong(true).every((kind) => isOpenTo(kind, role)),
  own: () => leftToPeople.length > 0,
  settings: (role) => ROLE_CAPABILITIES[role].has('settings.manage'),
  developer: (role) => ROLE_SCOPES[role].has('write:webhooks'),
  audit: (role) => ROLE_CAPABILITIES[role].has('settings.manage'),
}

function rightText(right: keyof typeof RIGHTS): string {
  const text = words.rights[right]
  if (typeof text === 'string') return text
  const kinds = { reserved: othersAmong(true), own: leftToPeople, read: everyKind }[
    right as 'reserved' | 'own' | 'read'
  ]
  return text(kinds.map(({ noun }) => noun.many))
}

/** What each role may do. */
export function Rights() {
  return (
    <DataTable
      label={words.table}
      rows={Object.keys(RIGHTS).map((id) => ({ id: id as keyof typeof RIGHTS }))}
      columns={[
        { label: words.what, cell: ({ id }) => rightText(id) },
        ...ROLES.map((role) => ({
          label: roleWords[role],
          cell: ({ id }: { id: keyof typeof RIGHTS }) => (RIGHTS[id](role) ? words.may : words.mayNot),
        })),
      ]}
    />
  )
}
