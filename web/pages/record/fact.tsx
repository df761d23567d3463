import { ActionIcon, Alert, VisuallyHidden } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { type MouseEvent, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react'
import type { Values } from '../../../model/complaint.ts'
import type { DescribedKind } from '../../../model/described-kind.ts'
import type { Field } from '../../client/fields.ts'
import { isFixed } from '../../client/fields.ts'
import { type AnyRecord, isSame } from '../../client/records.ts'
import { FactValue, Steps } from '../../components/fact-value.tsx'
import { RecordValues } from '../../components/record-values.ts'
import { actorName } from '../../copy/journal.ts'
import { record as words } from '../../copy/record.ts'
import { ChoiceEditor } from './choice-editor.tsx'
import { EditTold } from './edit-told.tsx'
import { FactEditor } from './fact-editor.tsx'
import { PickEditor } from './pick-editor.tsx'
import styles from './record.module.css'
import { changeOf, withChange } from './record-change.ts'
import type { Edits } from './use-record-edits.ts'

export interface FactProps {
  kind: DescribedKind
  field: Field
  edits: Edits
  /** Whether the person may change it. */
  editable: boolean
  /** Begins with its editor. */
  opened?: boolean
}

/** A field of the record with its title: its value, and the way to change it where it stands. */
export function Fact(props: FactProps) {
  const id = useId()
  const { field } = props
  return (
    <div className={styles.fact}>
      <dt id={id} title={field.description}>
        {field.title}
      </dt>
      <dd>
        <FactBody {...props} />
      </dd>
    </div>
  )
}

/** The same without its title, for a head. */
export function FactBody({
  kind,
  field,
  edits,
  editable,
  opened = false,
  children,
}: FactProps & { children?: ReactNode }) {
  const [seen, setSeen] = useState<AnyRecord | null>(opened ? edits.shown : null)
  const pencil = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !seen) pencil.current?.focus()
    wasOpen.current = seen !== null
  }, [seen])

  const edit = edits.of(field.name)
  const isOffered = editable && edits.mayChange(field)
  const value =
    children ??
    (field.ticks && isOffered ? (
      <TickedFact field={field} edits={edits} />
    ) : (
      <FactValue kind={kind} field={field} record={edits.shown} />
    ))
  if (!isOffered) return <div className={styles.value}>{value}</div>
  // What is left to them is done where it stands, and not edited.
  if (edits.isLeft)
    return (
      <>
        <div className={styles.value}>{value}</div>
        <EditTold kind={kind} field={field} edits={edits} />
      </>
    )

  const isRefused = edit?.state === 'refused'
  const base = seen ?? edits.shown
  const close = () => {
    setSeen(null)
    if (isRefused) edits.drop(field.name)
  }
  const save = (wanted: unknown) => {
    setSeen(null)
    edits.save(changeOf(field, base[field.name], wanted), base)
  }
  const pencilButton = (
    <ActionIcon
      ref={pencil}
      className={styles.pencil}
      size="sm"
      aria-label={words.edit(field.title)}
      aria-busy={edit?.state === 'saving'}
      onClick={() => setSeen(edits.shown)}
    >
      <IconPencil size={14} aria-hidden />
    </ActionIcon>
  )
  const isTyped = !CHOSEN.has(field.form)
  if (isTyped && (seen || isRefused))
    return (
      <>
        {/* A page keeps its heading also while that is edited. */}
        {children && <VisuallyHidden component="div">{children}</VisuallyHidden>}
        <RecordValues value={base}>
          <FactEditor
            field={field}
            initial={(isRefused ? withChange(base, edit.change) : base)[field.name]}
            saved={base[field.name]}
            isFixed={isFixed(kind, field.name)}
            error={isRefused ? edit.message : undefined}
            takesFocus={seen !== null}
            moved={
              !isRefused && !isSame(base[field.name], edits.shown[field.name]) ? (
                <Moved kind={kind} field={field} record={edits.shown} />
              ) : null
            }
            save={save}
            close={close}
          />
        </RecordValues>
      </>
    )
  const choosing = { kind, field, value: base[field.name], choose: save, close, opened: seen !== null }
  return (
    <>
      {/* biome-ignore-start lint/a11y: a wider target for the button within, which the keyboard reaches */}
      <div
        className={styles.value}
        data-covered={isTyped ? undefined : true}
        data-editable
        onClick={isTyped ? (event) => isPlainClick(event) && setSeen(edits.shown) : undefined}
      >
        {value}
        {isTyped ? (
          pencilButton
        ) : field.form === 'choice' || field.form === 'flag' ? (
          <ChoiceEditor {...choosing}>{pencilButton}</ChoiceEditor>
        ) : (
          <PickEditor {...choosing}>{pencilButton}</PickEditor>
        )}
        <VisuallyHidden role="status">{edit?.state === 'saving' ? words.saving : ''}</VisuallyHidden>
      </div>
      {/* biome-ignore-end lint/a11y: - */}
      <EditTold kind={kind} field={field} edits={edits} />
    </>
  )
}

/** Steps are ticked where they stand: one click is one change, on the version that was seen. */
function TickedFact({ field, edits }: { field: Field; edits: Edits }) {
  const { shown } = edits
  return (
    <Suspense>
      <Steps
        field={field}
        items={(shown[field.name] as Values[] | null) ?? []}
        change={(items) => edits.save({ [field.name]: items }, shown)}
      />
    </Suspense>
  )
}

/** Said to whoever is still typing; what they send is held against it, and nothing of it is lost. */
function Moved({ kind, field, record }: { kind: DescribedKind; field: Field; record: AnyRecord }) {
  const by = record.updatedBy as { type: string; displayName: string }
  return (
    <Alert color="yellow" role="status" mb={6} p="xs" title={words.conflict.title(actorName(by))}>
      <FactValue kind={kind} field={field} record={record} />
    </Alert>
  )
}

/** Of a value, and not of a link, a button or a box in it; nor the end of a selection of its text. */
const isPlainClick = ({ target }: MouseEvent): boolean =>
  !(target as Element).closest('a, button, label, input') && getSelection()?.isCollapsed !== false

/** What is chosen from a list, rather than typed. */
const CHOSEN: ReadonlySet<string> = new Set(['choice', 'flag', 'principal', 'record'])
