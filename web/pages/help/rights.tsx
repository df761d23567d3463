import { ROLE_CAPABILITIES, ROLE_SCOPES, type Role } from '../../../model/scopes.ts'
import { DataTable } from '../../components/data-table.tsx'
import { help } from '../../copy/help.ts'
import { roleWords } from '../../copy/roles.ts'

const words = help.people

const ROLES = ['viewer', 'editor', 'admin'] as const

/** What stands for each line, among what the service judges by. */
const RIGHTS: Readonly<Record<keyof typeof words.rights, (role: Role) => boolean>> = {
  read: (role) => ROLE_SCOPES[role].has('read:risks'),
  write: (role) => ROLE_SCOPES[role].has('write:risks'),
  settings: (role) => ROLE_CAPABILITIES[role].has('settings.manage'),
  developer: (role) => ROLE_SCOPES[role].has('write:webhooks'),
  audit: (role) => ROLE_CAPABILITIES[role].has('settings.manage'),
}

/** What each role may do. */
export function Rights() {
  return (
    <DataTable
      label={words.table}
      rows={Object.keys(RIGHTS).map((id) => ({ id: id as keyof typeof RIGHTS }))}
      columns={[
        { label: words.what, cell: ({ id }) => words.rights[id] },
        ...ROLES.map((role) => ({
          label: roleWords[role],
          cell: ({ id }: { id: keyof typeof RIGHTS }) => (RIGHTS[id](role) ? words.may : words.mayNot),
        })),
      ]}
    />
  )
}
