import { Button, Popover, SimpleGrid, Stack, VisuallyHidden } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { ratedAs, type Stage } from '../../client/ratings.ts'
import { type AnyRecord, isSame } from '../../client/records.ts'
import { LevelPreview } from '../../components/level-preview.tsx'
import { FieldInput } from '../../components/record-form/field-input.tsx'
import { rating as words } from '../../copy/rating.ts'
import { record as recordWords } from '../../copy/record.ts'
import { EditorFoot } from './editor-foot.tsx'
import styles from './record.module.css'
import type { Edits } from './use-record-edits.ts'

/** A level that follows from two choices: both are made together, and sent as one change. */
export function RatingEditor({
  kind,
  stage,
  edits,
  editable,
  children,
}: {
  kind: DescribedKind
  stage: Stage
  edits: Edits
  editable: boolean
  children: ReactNode
}) {
  const [seen, setSeen] = useState<AnyRecord | null>(null)
  if (!editable) return children
  const isRated = ratedAs(stage, edits.shown) !== null
  const edit = edits.of(stage.pair![0].name)
  return (
    <Popover
      opened={seen !== null}
      onChange={(opened) => !opened && setSeen(null)}
      position="bottom-start"
      shadow="sm"
      width={320}
      trapFocus
      returnFocus
    >
      <div className={styles.value} data-covered data-editable>
        {children}
        <Popover.Target>
          {/* One button, so that it has the focus still when its rating is there. */}
          <Button
            className={styles.pencil}
            data-shown={!isRated || undefined}
            variant={isRated ? 'subtle' : 'default'}
            color="gray"
            size="compact-xs"
            aria-label={isRated ? words.change(stage.word) : words.rateStage(stage.word)}
            aria-busy={edit?.state === 'saving'}
            onClick={() => setSeen(seen ? null : edits.shown)}
          >
            {isRated ? <IconPencil size={14} aria-hidden /> : words.rate}
          </Button>
        </Popover.Target>
        <VisuallyHidden role="status">{edit?.state === 'saving' ? recordWords.saving : ''}</VisuallyHidden>
      </div>
      <Popover.Dropdown>
        {seen && (
          <RatingForm
            kind={kind}
            stage={stage}
            initial={edit && edit.state !== 'saving' ? { ...seen, ...edit.change } : seen}
            close={() => setSeen(null)}
            save={(change) => {
              setSeen(null)
              if (!Object.keys(change).every((name) => isSame(change[name], seen[name])))
                edits.save(change, seen)
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

function RatingForm({
  kind,
  stage,
  initial,
  save,
  close,
}: {
  kind: DescribedKind
  stage: Stage
  initial: Values
  save: (change: Values) => void
  close: () => void
}) {
  const [change, setChange] = useState<Values>(() =>
    Object.fromEntries(stage.pair!.map(({ name }) => [name, initial[name] ?? null])),
  )
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    save(change)
  }
  return (
    <form
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
      }}
    >
      <Stack gap="sm">
        <SimpleGrid cols={2} spacing="sm">
          {stage.pair!.map((field, index) => (
            <FieldInput
              key={field.name}
              field={field}
              value={change[field.name]}
              change={(value) => setChange({ ...change, [field.name]: value })}
              autoFocus={index === 0}
            />
          ))}
        </SimpleGrid>
        <LevelPreview kind={kind} stage={stage} values={{ ...initial, ...change }} />
        <EditorFoot close={close} />
      </Stack>
    </form>
  )
}
