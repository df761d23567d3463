import { auditCommands } from './audit.ts'
import { backupCommands } from './backup.ts'
import { callCommands } from './call.ts'
import { clockCommands } from './clock.ts'
import type { Command } from './command.ts'
import { keyringCommands } from './keyring.ts'
import { keyCommands } from './keys.ts'
import { oauthClientCommands } from './oauth-clients.ts'
import { organizationCommands } from './organizations.ts'
import { upkeepCommands } from './upkeep.ts'
import { userCommands } from './users.ts'

/** Everything the command line can do, in the order of its help. */
export const commands: readonly Command[] = [
  ...organizationCommands,
  ...userCommands,
  ...keyCommands,
  ...oauthClientCommands,
  ...callCommands,
  ...auditCommands,
  ...clockCommands,
  ...upkeepCommands,
  ...backupCommands,
  ...keyringCommands,
]
