import {
  type Icon,
  IconApps,
  IconBell,
  IconBuilding,
  IconCalendarDue,
  IconForms,
  IconGrid4x4,
  IconHistory,
  IconHome,
  IconInbox,
  IconKey,
  IconLibraryPlus,
  IconListCheck,
  IconListDetails,
  IconLogin2,
  IconMail,
  IconPlugConnected,
  IconRadar,
  IconShieldLock,
  IconTemplate,
  IconUser,
  IconUserCog,
  IconWebhook,
  IconZoomCheck,
} from '@tabler/icons-react'
import type { KindEntry } from '../../../model/described-kind.ts'
import { MODULES } from '../../../model/modules.ts'
import { everyKind, kindIndex } from '../../client/kinds.ts'
import { mayDo } from '../../client/records.ts'
import type { SignedIn } from '../../client/session.ts'
import { frame } from '../../copy/frame.ts'
import { registerWords } from '../../copy/records.ts'
import { yours } from '../../copy/yours.ts'
import { iconOf } from './icons.ts'

export interface Place {
  to: string
  label: string
  icon: Icon
}

export interface PlaceGroup {
  label: string | null
  places: readonly Place[]
}

/** The pages of the app in their groups, of those that the person may open. The registers are the kinds'. */
export function placesFor(signedIn: SignedIn): readonly PlaceGroup[] {
  if (signedIn.limitedView === 'self_service') return OF_ONESELF
  const registers = MODULES.map((module) => ({
    label: frame.modules[module],
    places: [
      ...everyKind
        .filter((kind) => kind.module === module && hasPlace(kind) && mayDo(kind, 'read', signedIn))
        .map((kind) => ({ to: `/${kind.page}`, label: registerWords(kind).short, icon: iconOf(kind) })),
      ...(module === 'risk' ? [{ to: '/risks/matrix', label: frame.riskMatrix, icon: IconGrid4x4 }] : []),
      ...(module === 'suppliers' && mayDo(kindIndex.vendor, 'read', signedIn)
        ? [{ to: '/vendors/discovered', label: frame.discoveredVendors, icon: IconRadar }]
        : []),
      ...(module === 'compliance' && mayDo(kindIndex.evidence, 'read', signedIn)
        ? [{ to: '/evidence/hub', label: frame.evidenceHub, icon: IconZoomCheck }]
        : []),
      ...(module === 'compliance' && mayDo(kindIndex.framework, 'read', signedIn)
        ? [{ to: '/frameworks/library', label: frame.frameworkLibrary, icon: IconLibraryPlus }]
        : []),
      ...(module === 'compliance' && mayDo(kindIndex.policy, 'read', signedIn)
        ? [{ to: '/policies/templates', label: frame.policyTemplates, icon: IconTemplate }]
        : []),
    ],
  }))
  return [
    {
      label: null,
      places: [
        { to: '/', label: frame.overview, icon: IconHome },
        { to: '/my-work', label: frame.myWork, icon: IconListCheck },
        { to: '/inbox', label: frame.inbox, icon: IconInbox },
        { to: '/calendar', label: frame.calendar, icon: IconCalendarDue },
      ],
    },
    ...registers.filter(({ places }) => places.length > 0),
    ...(signedIn.capabilities.includes('settings.manage') ? [SETTINGS, DEVELOPER] : []),
    ...(signedIn.limitedView === 'auditor' ? [OF_AUDITORS] : []),
    ACCOUNT,
  ]
}

/** What nobody adds by itself is looked at where what it is under is. */
const hasPlace = ({ under, access }: KindEntry): boolean => !under || access.create !== undefined

const SETTINGS: PlaceGroup = {
  label: frame.groups.settings,
  places: [
    { to: '/settings/organization', label: frame.ownOrganization, icon: IconBuilding },
    { to: '/settings/members', label: frame.members, icon: IconUserCog },
    { to: '/settings/sign-in', label: frame.signInProviders, icon: IconLogin2 },
    { to: '/settings/custom-fields', label: frame.customFields, icon: IconForms },
    { to: '/settings/risk-matrix', label: frame.riskMatrixSettings, icon: IconGrid4x4 },
    { to: '/settings/audit-log', label: frame.auditLog, icon: IconHistory },
    { to: '/settings/mail', label: frame.mailLog, icon: IconMail },
  ],
}

const DEVELOPER: PlaceGroup = {
  label: frame.groups.developer,
  places: [
    { to: '/settings/api-keys', label: frame.apiKeys, icon: IconKey },
    { to: '/settings/webhooks', label: frame.webhooks, icon: IconWebhook },
    { to: '/settings/deliveries', label: frame.deliveries, icon: IconListDetails },
    { to: '/settings/signature-bench', label: frame.signatureBench, icon: IconZoomCheck },
    { to: '/settings/connected-apps', label: frame.allConnectedApps, icon: IconApps },
  ],
}

/** What of the settings an auditor reads. */
const OF_AUDITORS: PlaceGroup = {
  ...SETTINGS,
  places: SETTINGS.places.filter(({ to }) => to === '/settings/audit-log'),
}

/** All pages for admins. */
export const SETTINGS_PLACES = [...SETTINGS.places, ...DEVELOPER.places]

const ACCOUNT: PlaceGroup = {
  label: frame.groups.account,
  places: [
    { to: '/account/profile', label: frame.profile, icon: IconUser },
    { to: '/account/notices', label: frame.notifications, icon: IconBell },
    { to: '/account/security', label: frame.security, icon: IconShieldLock },
    { to: '/account/connected-apps', label: frame.connectedApps, icon: IconPlugConnected },
    { to: '/account/jobs', label: frame.jobs, icon: IconListDetails },
  ],
}

/** For who sees what is theirs alone: the frame draws no other page for them. */
const OF_ONESELF: readonly PlaceGroup[] = [
  {
    label: null,
    places: [
      { to: '/', label: yours.title, icon: IconHome },
      { to: '/inbox', label: frame.inbox, icon: IconInbox },
    ],
  },
  ACCOUNT,
]

/** Whether a page is open to them. */
export const isOfOneself = (pathname: string): boolean =>
  OF_ONESELF.some(({ places }) => places.some(({ to }) => to === pathname)) ||
  /^\/(help|organizations|to-read\/[^/]+)$/.test(pathname)
