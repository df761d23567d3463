import { Button, CloseButton, FileButton, Group, Progress, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { FILE_TYPES } from '../../model/file-types.ts'
import { refuseStrayDrops } from '../client/stray-drops.ts'
import { forgetUploads, isOver, type Upload, useUploads } from '../client/uploads.ts'
import { uploads as words } from '../copy/uploads.ts'
import styles from './uploads.module.css'

const ENDINGS = FILE_TYPES.flatMap(({ endings }) => endings.map((ending) => `.${ending}`)).join(',')

/** Chooses files by a dialog, for whoever does not drop them. */
export function ChooseFiles({ take }: { take: (files: File[]) => void }) {
  return (
    <FileButton multiple accept={ENDINGS} onChange={take}>
      {(props) => (
        <Button {...props} variant="default" size="xs" leftSection={<IconUpload size={14} aria-hidden />}>
          {words.choose}
        </Button>
      )}
    </FileButton>
  )
}

/** What files can be dropped on; while some are held over it, it says so. */
export function DropZone({
  take,
  text,
  children,
}: {
  /** Left out where none are taken. */
  take?: ((files: File[]) => void) | undefined
  text: string
  children: ReactNode
}) {
  const zone = useRef<HTMLDivElement>(null)
  const isOverIt = useDrop(zone, take)
  return (
    <div ref={zone} className={styles.zone}>
      {children}
      {isOverIt && <DropVeil text={text} />}
    </div>
  )
}

/** A frame over what files are held over, that says what becomes of them. */
export const DropVeil = ({ text }: { text: string }) => <div className={styles.veil}>{text}</div>

/**
 * Takes files that are dropped on an element.
 * @param take left out where none are taken
 * @returns whether some are held over it
 */
export function useDrop(
  zone: RefObject<HTMLElement | null>,
  take: ((files: File[]) => void) | undefined,
): boolean {
  const [isOverIt, setIsOverIt] = useState(false)
  const now = useRef(take)
  now.current = take
  const isTaking = take !== undefined
  useEffect(() => {
    const element = zone.current
    if (!element || !isTaking) return
    const isOfFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files')
    const over = (event: DragEvent) => {
      if (!isOfFiles(event)) return
      event.preventDefault()
      setIsOverIt(true)
    }
    const leave = ({ relatedTarget }: DragEvent) => {
      if (!element.contains(relatedTarget as Node | null)) setIsOverIt(false)
    }
    const drop = (event: DragEvent) => {
      setIsOverIt(false)
      if (!isOfFiles(event)) return
      event.preventDefault()
      now.current?.([...event.dataTransfer!.files])
    }
    element.addEventListener('dragover', over)
    element.addEventListener('dragleave', leave)
    element.addEventListener('drop', drop)
    const allow = refuseStrayDrops()
    return () => {
      allow()
      element.removeEventListener('dragover', over)
      element.removeEventListener('dragleave', leave)
      element.removeEventListener('drop', drop)
      setIsOverIt(false)
    }
  }, [zone, isTaking])
  return isOverIt
}

/** The files that are on their way from a place, how far each is, and why one did not get there. */
export function UploadList({ place }: { place: string }) {
  const all = useUploads(place)
  if (all.length === 0) return null
  const done = all.filter(({ state }) => state === 'done').length
  const shown = all.filter(({ state, left }) => state !== 'done' || left)
  return (
    <Stack component="section" gap="xs" className={styles.list} aria-label={words.list}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" role="status">
          {words.ofMany(done, all.length)}
        </Text>
        {all.every(isOver) && (
          <CloseButton size="sm" aria-label={words.dismiss} onClick={() => forgetUploads(place)} />
        )}
      </Group>
      {all.length > 1 && <Progress aria-label={words.list} size="sm" value={(100 * done) / all.length} />}
      <ul className={styles.uploads}>
        {shown.slice(0, SHOWN).map((one) => (
          <UploadRow key={one.key} upload={one} />
        ))}
      </ul>
    </Stack>
  )
}

/** Of forty, those that are next; the line above counts the rest. */
const SHOWN = 6

function UploadRow({ upload }: { upload: Upload }) {
  const { name, bytes, sent, state, error, left } = upload
  return (
    <li>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" truncate>
          <bdi>{name}</bdi>
        </Text>
        <Text
          size="xs"
          c={state === 'failed' ? 'var(--mantine-color-error)' : 'dimmed'}
          className={styles.state}
        >
          {words.states[state]}
        </Text>
      </Group>
      {state === 'failed' ? (
        <Text size="xs" role="alert">
          {error instanceof Error ? error.message : String(error)}
        </Text>
      ) : left ? (
        <LeftOut left={left} />
      ) : (
        <Progress aria-label={words.progress(name)} size="xs" value={(100 * sent) / bytes} />
      )}
    </li>
  )
}

/** What of an archive was left out. */
function LeftOut({ left }: { left: readonly string[] }) {
  return (
    <div role="status">
      <Text size="xs">{words.left(left.length)}</Text>
      <ul className={styles.left}>
        {left.slice(0, LEFT_SHOWN).map((one) => (
          <li key={one}>
            <bdi>{one}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}

const LEFT_SHOWN = 20
