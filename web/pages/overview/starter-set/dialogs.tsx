import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Output } from '../../../client/calls.ts'
import { kindIndex } from '../../../client/kinds.ts'
import { readRecordsAgain } from '../../../client/records.ts'
import { readAgain } from '../../../client/use-answer.ts'
import { DangerDialog } from '../../../components/danger-dialog.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { buttons } from '../../../copy/buttons.ts'
import { overview } from '../../../copy/overview.ts'
import { starterSet } from '../../../copy/starter-set.ts'

const words = starterSet
const SETS = ['risks', 'controls'] as const

type Offered = Output<'getStarterSet'>

/** All of the set is chosen at first; what is here already is not offered again. */
export function AddStarterSet({ offered, close }: { offered: Offered; close: () => void }) {
  const missing = (set: (typeof SETS)[number]) =>
    offered[set].filter(({ isHere }) => !isHere).map(({ title }) => title)
  const [chosen, setChosen] = useState({ risks: missing('risks'), controls: missing('controls') })
  const adding = useMutation({
    mutationFn: () => call('addStarterSet', chosen),
    onSuccess: async () => {
      await readEverythingAgain()
      close()
    },
  })
  const count = chosen.risks.length + chosen.controls.length
  return (
    <Modal opened onClose={close} title={words.dialog} size="lg">
      <Stack>
        <Text size="sm">{words.dialogText}</Text>
        {SETS.map((set) => (
          <Checkbox.Group
            key={set}
            label={words[set]}
            value={chosen[set]}
            onChange={(titles) => setChosen({ ...chosen, [set]: titles })}
          >
            <Stack gap="xs" mt="xs">
              {offered[set].map(({ title, description, isHere }) => (
                <Checkbox
                  key={title}
                  value={title}
                  label={title}
                  description={isHere ? words.isHere : description}
                  disabled={isHere}
                />
              ))}
            </Stack>
          </Checkbox.Group>
        ))}
        <ProblemAlert error={adding.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {buttons.cancel}
          </Button>
          <Button
            loading={adding.isPending}
            disabled={count === 0}
            onClick={() => adding.mutate()}
            data-autofocus
          >
            {words.add(count)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** @param kept is told which stay, because somebody changed or linked them */
export function RemoveStarterSet({
  untouched,
  kept,
  close,
}: {
  untouched: number
  kept: (references: readonly string[]) => void
  close: () => void
}) {
  const remove = async () => {
    const told = await call('removeStarterSet', {})
    kept(told.kept.map(({ reference }) => reference))
    await readEverythingAgain()
  }
  return (
    <DangerDialog
      title={words.removal}
      text={words.removalText(untouched)}
      verb={overview.starter.remove}
      act={remove}
      close={close}
    />
  )
}

const readEverythingAgain = (): Promise<unknown> =>
  Promise.all([
    readRecordsAgain(kindIndex.risk),
    readRecordsAgain(kindIndex.control),
    readAgain('getStarterSet', 'getFirstSteps', 'getRecentActivity', 'getRiskTrend'),
  ])
