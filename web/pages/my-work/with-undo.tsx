import { Anchor, CloseButton, Group, Paper, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Values } from '../../../model/complaint.ts'
import type { KindEntry } from '../../../model/described-kind.ts'
import { recordAddress } from '../../client/list-address.ts'
import { callLeft, changeRecord, isSame } from '../../client/records.ts'
import { useSignedIn } from '../../client/session.ts'
import { AppLink } from '../../components/app-link.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { buttons } from '../../copy/buttons.ts'
import { myWork } from '../../copy/my-work.ts'
import { valueWord } from '../../copy/records.ts'
import { type Done, DoneContext, readWorkAgain } from './done.ts'
import styles from './my-work.module.css'

const words = myWork.done

/**
 * Says below what is worked on which step was taken last, with the way back: a step may lead where no edit leads back from,
 * and the service lets whoever took it take it back while nothing else has happened.
 * @param after what else is read again
 */
export function WithUndo({
  after = readWorkAgain,
  children,
}: {
  after?: (kind: KindEntry) => Promise<unknown>
  children: ReactNode
}) {
  const signedIn = useSignedIn()
  const [done, setDone] = useState<Done | null>(null)
  const undoing = useMutation({
    mutationFn: async (one: Done) => {
      const { kind, machine, after: now } = one
      await changeRecord(kind, now, backFrom(one), callLeft(kind, machine.field, signedIn))
      await after(kind)
    },
  })
  const tell = (one: Done) => {
    undoing.reset()
    setDone(one)
    return after(one.kind)
  }
  const isBack = undoing.isSuccess
  return (
    <DoneContext value={tell}>
      {children}
      {done && (
        <Paper withBorder shadow="md" className={styles.done}>
          <ProblemAlert error={undoing.error} />
          <Group gap="sm" wrap="nowrap">
            <Text size="sm" role="status" flex={1}>
              {toldOf(done, isBack)} <Made {...done} />
            </Text>
            {!isBack && (
              <Anchor
                component="button"
                type="button"
                size="sm"
                disabled={undoing.isPending}
                onClick={() => undoing.mutate(done)}
              >
                {words.undo}
              </Anchor>
            )}
            <CloseButton size="sm" aria-label={buttons.close} onClick={() => setDone(null)} />
          </Group>
        </Paper>
      )}
    </DoneContext>
  )
}

function toldOf({ kind, machine, before, after }: Done, isBack: boolean): ReactNode {
  const state = valueWord(String((isBack ? before : after)[machine.field]))
  return (
    <>
      {after.reference} <bdi>{String(after[kind.named])}</bdi> {isBack ? words.back(state) : words.set(state)}
    </>
  )
}

/** Records of the kind that came with the step, such as the next of what comes again: a step back leaves them there. */
const Made = ({ kind, before, after }: Done) =>
  Object.values(kind.derived)
    .filter(({ name, target }) => target === kind.idPrefix && Boolean(after[name]) && !before[name])
    .map(({ name, title }) => (
      <Anchor key={name} component={AppLink} href={recordAddress(kind, String(after[name]))} size="sm">
        {title}
      </Anchor>
    ))

/** The state that was left, and what was asked for or wiped with the step. */
function backFrom({ machine: { field, asks = {} }, before, after }: Done): Values {
  const said = Object.values(asks).flatMap((all) => all.flatMap(({ fields }) => fields))
  const moved = [field, ...new Set(said)].filter((name) => !isSame(before[name], after[name]))
  return Object.fromEntries(moved.map((name) => [name, before[name] ?? null]))
}
