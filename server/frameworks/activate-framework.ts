import { z } from 'zod'
import type { Kind } from '../../model/kind.ts'
import { kinds } from '../../model/kinds/index.ts'
import { leastRole } from '../../model/needs.ts'
import { operation } from '../operation.ts'
import { changeRecord } from '../records/change-record.ts'
import { ID, IF_MATCH, IF_MATCH_HEADER, recordSchema } from '../records/schemas.ts'
import { writeToday } from './coverage-days.ts'

const framework = kinds.framework as unknown as Kind
const { implementationGroup, owner, targetDate, scopeStatement } = kinds.framework.fields

/** From then on its requirements count, and through mappings what is met here counts for other frameworks. */
export const activateFramework = operation({
  name: 'activateFramework',
  method: 'POST',
  path: '/v1/frameworks/{id}/activate',
  needs: leastRole('admin'),
  writes: true,
  on: { kind: 'framework', when: { status: ['available', 'retired'] } },
  title: 'Activate a framework',
  description:
    'From then on the organization follows it: its requirements wait for answers, and what is met here counts through mappings elsewhere. The level chooses which of them are in scope.',
  input: z.strictObject({
    id: ID,
    ifMatch: IF_MATCH,
    implementationGroup: implementationGroup.optional(),
    owner: owner.optional(),
    targetDate: targetDate.optional(),
    scopeStatement: scopeStatement.optional(),
  }),
  output: recordSchema(framework),
  headers: IF_MATCH_HEADER,
  refusals: ['invalid_transition', 'version_mismatch', 'principal_not_found', 'principal_inactive'],
  run: async (context, { id, ifMatch, ...given }) => {
    const active = await changeRecord(context, framework, id, { given, set: { status: 'active' }, ifMatch })
    writeToday(context.tx, id)
    return active as never
  },
})
