import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldsOf } from '../../client/fields.ts'
import { kindIndex } from '../../client/kinds.ts'
import { recordAddress } from '../../client/list-address.ts'
import { useKind } from '../../client/use-kind.ts'
import { AppLink } from '../../components/app-link.tsx'
import { FormFoot } from '../../components/form-foot.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { frameworks } from '../../copy/frameworks.ts'
import { carryOut, type FrameworkImport } from './carry-out.ts'
import styles from './frameworks.module.css'
import { type ReadAgain, TableColumns } from './table-columns.tsx'

const words = frameworks.importing

type Plan = NonNullable<FrameworkImport['plan']>

/** What a file would come to, the way to have it done, and what it came to. */
export function ImportPlanDialog({
  id,
  plan,
  done,
  readAgain,
  close,
}: {
  id: string
  plan: Plan
  done: () => Promise<unknown>
  readAgain: ReadAgain
  close: () => void
}) {
  const { outcome, framework, counts, faults, moreFaults, notes, mappings, riskMatrix, table } = plan
  const guarded = useGuardedCall()
  // The plan is of the columns as they were read: changed ones are read again before the import.
  const [isEdited, setIsEdited] = useState(false)
  const applying = useMutation({
    mutationFn: () => carryOut(guarded, id, outcome === 'different'),
    onSettled: done,
  })
  const name = framework ? words.name(framework.name, framework.edition) : ''
  const addsParts = mappings.some(({ added }) => added > 0) || (riskMatrix?.changes.length ?? 0) > 0
  const canApply = outcome === 'new' || outcome === 'different' || (outcome === 'unchanged' && addsParts)
  if (applying.data)
    return (
      <Modal opened onClose={close} title={words.title} size="lg">
        <Outcome name={name} came={applying.data} close={close} />
      </Modal>
    )
  return (
    <Modal opened onClose={close} title={words.title} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          applying.mutate()
        }}
      >
        <Stack>
          <Text size="sm">
            {framework || outcome === 'refused'
              ? words.outcomes[outcome](name, counts?.assessable ?? 0, plan)
              : words.parts[canApply ? 'new' : 'unchanged']}
          </Text>
          {outcome === 'different' && <Differences plan={plan} />}
          {faults.length > 0 && (
            <ul aria-label={words.faults} className={styles.notes}>
              {faults.map(({ place, message }) => (
                <li key={`${place} ${message}`}>{words.fault(place, message)}</li>
              ))}
            </ul>
          )}
          {moreFaults > 0 && <Text size="sm">{words.moreFaults(moreFaults)}</Text>}
          {mappings.map((one) => (
            <Text key={`${one.name} ${one.source.key}`} size="sm">
              {words.parts.mappings(one)}
            </Text>
          ))}
          {riskMatrix && (
            <Text size="sm">{words.parts.riskMatrix(riskMatrix.name, riskMatrix.changes.length)}</Text>
          )}
          {table && <TableColumns table={table} again={readAgain} edited={setIsEdited} />}
          {notes.length > 0 && (
            <section aria-label={words.notes}>
              <Text size="sm" fw={600}>
                {words.notes}
              </Text>
              <ul className={styles.notes}>
                {notes.map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
            </section>
          )}
          <ProblemAlert error={applying.error} />
          {canApply ? (
            <FormFoot
              submit={framework && outcome !== 'unchanged' ? words.apply[outcome] : words.parts.apply}
              isSending={applying.isPending}
              isBlocked={isEdited}
              cancel={close}
            />
          ) : (
            <Button variant="default" ml="auto" onClick={close}>
              {words.close}
            </Button>
          )}
        </Stack>
      </form>
    </Modal>
  )
}

/** By their keys, so that somebody can judge whether it is a correction. */
function Differences({ plan }: { plan: Plan }) {
  const fields = fieldsOf(useKind(kindIndex.framework))
  const requirementFields = fieldsOf(useKind(kindIndex.requirement))
  const changed = plan.changedKeys.map(
    ({ key, fields: names }) =>
      `${key} (${names.map((name) => requirementFields.get(name)?.title ?? name).join(', ')})`,
  )
  const facts = [
    ['added', plan.addedKeys, plan.added],
    ['removed', plan.removedKeys, plan.removed],
    ['changed', changed, plan.changed],
    ['moved', plan.movedKeys.map(({ key }) => key), plan.moved],
    [
      'framework',
      plan.frameworkFields.map((name) => fields.get(name)?.title ?? name),
      plan.frameworkFields.length,
    ],
  ] as const
  return (
    <dl className={styles.differences}>
      {facts
        .filter(([, keys]) => keys.length > 0)
        .map(([what, keys, all]) => (
          <div key={what}>
            <dt>{words.differences[what]}</dt>
            <dd>{words.keys(keys, all)}</dd>
          </div>
        ))}
    </dl>
  )
}

function Outcome({ name, came, close }: { name: string; came: FrameworkImport; close: () => void }) {
  const { result, frameworkId } = came
  return (
    <Stack>
      <Text size="sm" role="status">
        {result && (name === '' ? '' : words.done[result.outcome](name, result.added))}
        {result && name === '' && words.parts.done(result.mappings, result.riskMatrixVersion ?? null)}
      </Text>
      <Group gap="xs" justify="flex-end">
        <Button variant="default" onClick={close}>
          {words.close}
        </Button>
        {frameworkId !== null && (
          <Button component={AppLink} href={recordAddress(kindIndex.framework, frameworkId)}>
            {words.open}
          </Button>
        )}
      </Group>
    </Stack>
  )
}
