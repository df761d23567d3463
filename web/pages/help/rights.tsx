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

const ROLES = ['viewer', 'editor', 'admin'] as const

/** What stands for each line, among what the service judges by. */
const RIGHTS: Readonly<Record<keyof typeof words.rights, (role: Role) => boolean>> = {
  read: (role) => everyKind.every((kind) => allowsRole(needsToRead(kind), role)),
  write: (role) =>
    everyKind.every(({ access }) => changing(access).every((needs) => allowsRole(needs, role))),
  settings: (role) => ROLE_CAPABILITIES[role].has('settings.manage'),
  developer: (role) => ROLE_SCOPES[role].has('write:webhooks'),
  audit: (role) => ROLE_CAPABILITIES[role].has('settings.manage'),
}

function rightText(right: keyof typeof RIGHTS): string {
  const text = words.rights[right]
  return typeof text === 'string' ? text : text(everyKind.map(({ noun }) => noun.many))
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
