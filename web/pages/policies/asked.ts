import type { Row } from '../../client/use-pages.ts'

/** Somebody who was asked to acknowledge a policy, as those see it who see to that. */
export type Asked = Row<'listAttestations'>
