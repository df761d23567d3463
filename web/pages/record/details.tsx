import { Button, Menu } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { DescribedKind } from '../../../model/described-kind.ts'
import { fetchCode } from '../../client/fetch-code.ts'
import type { Field } from '../../client/fields.ts'
import { isMeant } from '../../client/only-while.ts'
import { type Section, sectionsOf } from '../../components/kind-sections.ts'
import { LinesSkeleton } from '../../components/page-skeleton.tsx'
import { record as words } from '../../copy/record.ts'
import { aboveOf } from './above.ts'
import { Fact } from './fact.tsx'
import { headFields } from './head-fields.ts'
import styles from './record.module.css'
import type { Edits } from './use-record-edits.ts'

/** Of kinds whose records have some. */
const Files = lazy(() => fetchCode(() => import('./files.tsx')).then((code) => ({ default: code.Files })))

const Revisions = lazy(() =>
  fetchCode(() => import('./revisions.tsx')).then((code) => ({ default: code.Revisions })),
)

/**
 * The facts in the sections of the kind, then those of every record; what the head shows is not repeated. What is
 * not set is folded away behind a button that lists it.
 */
export function Details({ kind, edits, editable }: { kind: DescribedKind; edits: Edits; editable: boolean }) {
  // What was to be seen once stays where it is, also when it is cleared.
  const [met, setMet] = useState<ReadonlySet<string>>(() => new Set())
  const [adding, setAdding] = useState<string | null>(null)
  const isShown = (field: Field) =>
    isMeant(field, edits.shown) &&
    (met.has(field.name) || isSet(edits.shown[field.name]) || Boolean(edits.of(field.name)))
  const { Told, fields: told } = aboveOf(kind, edits.shown)
  const head = [...headFields(kind, edits.shown), ...told]
  const sections = sectionsOf(kind, ({ name }) => !head.includes(name))
  const shown = sections.map(([title, fields]) => [title, fields.filter(isShown)] as const)
  const unset = sections.map(
    ([title, fields]) =>
      [
        title,
        fields.filter((field) => isMeant(field, edits.shown) && !isShown(field) && edits.mayChange(field)),
      ] as const,
  )
  const fresh = shown.flatMap(([, fields]) => fields.flatMap(({ name }) => (met.has(name) ? [] : name)))
  if (fresh.length > 0) setMet(new Set([...met, ...fresh]))
  const add = (name: string) => {
    setMet(new Set([...met, name]))
    setAdding(name)
  }
  const all = (
    <div className={styles.details}>
      {Told && <Told kind={kind} edits={edits} editable={editable} />}
      {kind.uploads && (
        <Suspense>
          <Files kind={kind} uploads={kind.uploads} record={edits.shown} editable={editable} />
        </Suspense>
      )}
      {shown.flatMap(([title, fields]) =>
        fields.length === 0
          ? []
          : [
              <section key={title} aria-label={title}>
                <h2>{title}</h2>
                <dl className={styles.facts}>
                  {fields.map((field) => (
                    <Fact
                      key={field.name}
                      kind={kind}
                      field={field}
                      edits={edits}
                      editable={editable}
                      opened={field.name === adding}
                    />
                  ))}
                </dl>
              </section>,
            ],
      )}
      {editable && unset.some(([, fields]) => fields.length > 0) && <AddMenu unset={unset} add={add} />}
      {kind.uploads?.revisions && isSet(edits.shown[kind.uploads.revisions.current]) && (
        <Suspense>
          <Revisions uploads={kind.uploads} record={edits.shown} />
        </Suspense>
      )}
    </div>
  )
  return Told ? <Suspense fallback={<LinesSkeleton lines={8} />}>{all}</Suspense> : all
}

/** What the bar at the top, and the edge at the bottom, leave to a menu. */
const BESIDE_EDGES = { top: 56, bottom: 8 }
const MENU_AT_MOST = 420

/** No higher than the room that there is: what has no room is scrolled to. */
function fitted({
  availableHeight,
  elements,
}: {
  availableHeight: number
  elements: { floating: HTMLElement }
}): void {
  elements.floating.style.maxHeight = `${Math.max(120, Math.min(MENU_AT_MOST, availableHeight))}px`
}

function AddMenu({ unset, add }: { unset: readonly Section[]; add: (name: string) => void }) {
  return (
    <Menu
      position="top-start"
      shadow="sm"
      width={320}
      returnFocus={false}
      middlewares={{ flip: true, shift: true, size: { padding: BESIDE_EDGES, apply: fitted } }}
    >
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          className={styles.add}
          leftSection={<IconPlus size={14} aria-hidden />}
        >
          {words.add}
        </Button>
      </Menu.Target>
      <Menu.Dropdown style={{ overflowY: 'auto' }} aria-label={words.add}>
        {unset.flatMap(([title, fields]) =>
          fields.length === 0
            ? []
            : [
                <Menu.Label key={title}>{title}</Menu.Label>,
                ...fields.map((field) => (
                  <Menu.Item key={field.name} onClick={() => add(field.name)}>
                    {field.title}
                    {field.description && <span className={styles.help}>{field.description}</span>}
                  </Menu.Item>
                )),
              ],
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

const isSet = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
