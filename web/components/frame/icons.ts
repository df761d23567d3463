import {
  type Icon,
  IconAddressBook,
  IconAlertTriangle,
  IconBooks,
  IconBug,
  IconBuildingStore,
  IconChecklist,
  IconDatabase,
  IconEyeCheck,
  IconFileCertificate,
  IconFileText,
  IconGavel,
  IconListDetails,
  IconRobot,
  IconRoute,
  IconShieldCheck,
  IconTool,
  IconUsers,
} from '@tabler/icons-react'
import type { KindEntry } from '../../../model/described-kind.ts'
import type { Module } from '../../../model/modules.ts'

const OF_MODULES: Readonly<Record<Module, Icon>> = {
  risk: IconAlertTriangle,
  compliance: IconShieldCheck,
  suppliers: IconBuildingStore,
  assets: IconDatabase,
  people: IconUsers,
  privacy: IconEyeCheck,
  ai: IconRobot,
}

const OF_KINDS: Readonly<Record<string, Icon>> = {
  personnel: IconAddressBook,
  risk_treatment: IconTool,
  security_finding: IconBug,
  risk_acceptance: IconGavel,
  policy: IconFileText,
  evidence: IconFileCertificate,
  framework: IconBooks,
  requirement: IconListDetails,
  compliance_plan: IconRoute,
  task: IconChecklist,
}

/** What stands before the name of a register; one without a picture of its own has that of its module. */
export const iconOf = ({ name, module }: KindEntry): Icon => OF_KINDS[name] ?? OF_MODULES[module]
