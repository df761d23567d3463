import type { Row } from '../../client/use-pages.ts'
import type { Look } from '../../components/chip.tsx'

/** Somebody who was asked to acknowledge a policy, as those see it who see to that. */
export type Asked = Row<'listAttestations'>

export const LOOKS: Readonly<Record<Asked['status'], Look>> = {
  requested: 'waits',
  viewed: 'underWay',
  acknowledged: 'good',
  exempt: 'quiet',
  cancelled: 'quiet',
}
