import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { outsideOf } from '../../../model/states.ts'
import { isNamed, type Whom } from '../../../model/whom.ts'
import { fetchCode } from '../../client/fetch-code.ts'
import { operationsOn, type RecordOperation } from '../../client/record-operations.ts'
import type { AnyRecord } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'

const DialogOf = lazy(() =>
  fetchCode(() => import('./operation-dialogs.tsx')).then((code) => ({ default: code.DialogOf })),
)

/** A button for each operation on the record, as it is now, that the person may do beside the verbs of its kind. */
export function RecordOperations({
  kind,
  record,
  only,
  main = [],
}: {
  kind: DescribedKind
  record: AnyRecord
  /** Their names in the order in which they stand, where not all of them are offered. */
  only?: readonly string[]
  /** What the page is waiting for somebody to do. */
  main?: readonly string[]
}) {
  const [chosen, setChosen] = useState<RecordOperation | null>(null)
  const { data: known } = useQuery(operationsOn(kind))
  const { person, role } = useSignedIn()
  const isFor = (who: Whom | null) => !who || isNamed(who, record, { userId: person.id, role })
  return (
    <>
      {known?.data
        .filter(({ name, isAllowed }) => isAllowed && !record.archivedAt && (!only || only.includes(name)))
        // These are done where the field stands that they set.
        .filter(({ name }) => !Object.values(kind.leftTo?.by ?? {}).includes(name))
        .filter(({ when, who }) => isFor(who) && outsideOf(when, record) === undefined)
        .sort((one, other) => (only ? only.indexOf(one.name) - only.indexOf(other.name) : 0))
        .map((one) => (
          <Button
            key={one.name}
            variant={main.includes(one.name) ? 'filled' : 'default'}
            size="compact-md"
            onClick={() => setChosen(one)}
          >
            {one.button}
          </Button>
        ))}
      {chosen && (
        <Suspense>
          <DialogOf operation={chosen} kind={kind} record={record} close={() => setChosen(null)} />
        </Suspense>
      )}
    </>
  )
}
