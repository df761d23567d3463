import { everyKind } from '../../../kinds/index.ts'
import { AREAS } from '../../../kinds/kind.ts'
import { mayDo } from '../../client/records.ts'
import type { SignedIn } from '../../client/session.ts'
import { frame } from '../../words/frame.ts'
import { registerWords } from '../../words/records.ts'

export interface Place {
  to: string
  label: string
}

export interface PlaceGroup {
  label: string | null
  places: readonly Place[]
}

/** The pages of the app in their groups, of those that the person may open. The registers are the kinds'. */
export function placesFor({ role, capabilities }: SignedIn): readonly PlaceGroup[] {
  const registers = AREAS.map((area) => ({
    label: frame.areas[area],
    places: [
      ...everyKind
        .filter((kind) => kind.area === area && mayDo(kind, 'list', role))
        .map((kind) => ({ to: `/${kind.path}`, label: registerWords(kind).short })),
      ...(area === 'risk' ? [{ to: '/risks/matrix', label: frame.riskMatrix }] : []),
    ],
  }))
  const settings = {
    label: frame.groups.settings,
    places: [
      { to: '/settings/organization', label: frame.ownOrganization },
      { to: '/settings/members', label: frame.members },
      { to: '/settings/sign-in', label: frame.signInProviders },
      { to: '/settings/api-keys', label: frame.apiKeys },
      { to: '/settings/webhooks', label: frame.webhooks },
      { to: '/settings/deliveries', label: frame.deliveries },
      { to: '/settings/signature-bench', label: frame.signatureBench },
      { to: '/settings/connected-apps', label: frame.allConnectedApps },
      { to: '/settings/audit-log', label: frame.auditLog },
    ],
  }
  const account = {
    label: frame.groups.account,
    places: [
      { to: '/account/security', label: frame.security },
      { to: '/account/connected-apps', label: frame.connectedApps },
    ],
  }
  return [
    { label: null, places: [{ to: '/', label: frame.overview }] },
    ...registers.filter(({ places }) => places.length > 0),
    ...(capabilities.includes('settings.manage') ? [settings] : []),
    account,
  ]
}
