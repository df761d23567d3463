import { Anchor, Button, Checkbox, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Output } from '../../client/calls.ts'
import { fieldsOf } from '../../client/fields.ts'
import { kindIndex } from '../../client/kinds.ts'
import { listAddress } from '../../client/list-address.ts'
import { queries } from '../../client/queries.ts'
import { useKind } from '../../client/use-kind.ts'
import { AppLink } from '../../components/app-link.tsx'
import { ColourMark } from '../../components/colour-mark.tsx'
import { FormFoot } from '../../components/form-foot.tsx'
import { useGuardedCall } from '../../components/identity-guard.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { type Named, type Source, sourceOf } from '../../components/picker.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { PickInput } from '../../components/record-form/pick-input.tsx'
import { frameworks } from '../../copy/frameworks.ts'
import { optionOf } from '../../copy/records.ts'
import type { DialogProps } from '../record/dialog-props.ts'
import styles from './gaps-dialog.module.css'

const words = frameworks.gaps

type Planned = Output<'planFrameworkGaps'>

/** A plan that was cancelled takes no tasks. */
const plans = (): Source<Named> => {
  const source = sourceOf(kindIndex.compliance_plan.idPrefix)
  return {
    ...source,
    key: [...source.key, 'of tasks'],
    find: async (q) => (await source.find(q)).filter(({ record }) => record?.status !== 'cancelled'),
  }
}

const madeOf = ({ tasks, controls }: Planned): string => words.made(words.tasks(tasks), controls)

/** Shows what would be made of what is missing, and then makes it. */
export function GapsDialog({ operation, record: { id }, close }: DialogProps) {
  const guarded = useGuardedCall()
  const [plan, setPlan] = useState<Named | null>(null)
  const [addControls, setAddControls] = useState(false)
  const input = { id, addControls, ...(plan ? { planId: plan.id } : {}) }
  const preview = useQuery({
    queryKey: ['planFrameworkGaps', { id, addControls }],
    queryFn: () => call('planFrameworkGaps', { id, addControls, preview: true }),
    placeholderData: (before) => before,
    staleTime: 0,
  })
  const making = useMutation({
    mutationFn: () => guarded('planFrameworkGaps', input),
    onSuccess: () => void queries.invalidateQueries(),
  })
  if (making.data)
    return (
      <Modal opened onClose={close} title={operation.title}>
        <Stack>
          <Text role="status">{words.done(madeOf(making.data))}</Text>
          {making.data.left > 0 && <Text size="sm">{words.left(making.data.left)}</Text>}
          <Anchor
            component={AppLink}
            size="sm"
            href={listAddress(kindIndex.task, plan ? { planId: plan.id } : { status: 'suggested' })}
          >
            {words.open}
          </Anchor>
          <Button variant="default" ml="auto" onClick={close}>
            {words.close}
          </Button>
        </Stack>
      </Modal>
    )
  return (
    <Modal opened onClose={close} title={words.title} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!making.isPending) making.mutate()
        }}
      >
        <Stack>
          <Text size="sm" c="dimmed">
            {words.text}
          </Text>
          <PickInput
            field={{ title: words.plan, description: words.planText } as never}
            chosen={plan?.name}
            empty={words.noPlan}
            picker={{ source: plans(), nothing: words.noPlan, choose: setPlan }}
          />
          <Checkbox
            label={words.controls}
            description={words.controlsText}
            checked={addControls}
            onChange={({ currentTarget }) => setAddControls(currentTarget.checked)}
          />
          <Loaded query={preview} lines={6}>
            {(planned) => (
              <>
                {planned.requirements.length > 0 ? (
                  <Made planned={planned} />
                ) : (
                  <Text size="sm">{words.nothing}</Text>
                )}
                {planned.left > 0 && <Text size="sm">{words.left(planned.left)}</Text>}
                <ProblemAlert error={making.error} />
                {planned.requirements.length > 0 ? (
                  <FormFoot
                    submit={words.submit(madeOf(planned))}
                    isSending={making.isPending}
                    cancel={close}
                  />
                ) : (
                  <Button variant="default" ml="auto" onClick={close}>
                    {words.close}
                  </Button>
                )}
              </>
            )}
          </Loaded>
        </Stack>
      </form>
    </Modal>
  )
}

function Made({ planned: { requirements } }: { planned: Planned }) {
  const field = fieldsOf(useKind(kindIndex.requirement)).get('result')!
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <ul aria-label={words.list} className={styles.made} tabIndex={0}>
      {requirements.map(({ id, key, title, result, task, control }) => (
        <li key={id}>
          <span className={styles.key}>{key}</span>
          <span className={styles.title}>{title}</span>
          <ColourMark colour={field.colours![result]}>{optionOf(field, result)}</ColourMark>
          <span className={styles.what}>
            {[task !== null && words.task, control && words.control].filter(Boolean).join(', ')}
          </span>
        </li>
      ))}
    </ul>
  )
}
