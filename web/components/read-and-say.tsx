import { Alert, Button, Checkbox, Group, Stack, Text, Title } from '@mantine/core'
import { useIsFetching, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { Output } from '../client/calls.ts'
import { PICTURE, Pictures, type TextOfPictures } from '../client/pictures.ts'
import { isProblem, type Problem } from '../client/problem.ts'
import { queries } from '../client/queries.ts'
import { sizeOf } from '../copy/sizes.ts'
import { toRead as words } from '../copy/to-read.ts'
import { writtenDay } from './day.tsx'
import { Loaded } from './loaded.tsx'
import { Markdown } from './markdown.tsx'
import { DatedMoment } from './moment.tsx'
import { ProblemAlert } from './problem-alert.tsx'
import styles from './read-and-say.module.css'

type TextToRead = Output<'readMyAttestation'>

/**
 * A whole text, and the sentence that is agreed to under it. The box can be ticked once the end of the text has been in
 * sight.
 *
 * @param readNew shows what took the place of the text, where that is another by now; of the request with this id
 * @param readCorrection shows the correction of what was acknowledged, or that again
 * @param first what has to be done first, in place of the button, and then goes on, or tells that another text took the
 *   place of this one; null where nothing is
 */
export function ReadAndSay({
  read,
  acknowledge,
  download,
  pictures,
  readNew,
  readCorrection,
  first = null,
}: {
  read: TextToRead
  /** Whose pictures it shows. */
  pictures: TextOfPictures
  /** Saves what is a file in place of a text. */
  download: (name: string) => Promise<unknown>
  acknowledge: (consent: { contentSha256: string; isAgreed: true; reachedEnd: boolean }) => Promise<unknown>
  readNew: (id: string) => Promise<unknown>
  readCorrection: (isWanted: boolean) => void
  first?: ((goOn: () => void, replaced: (error: unknown) => void) => ReactNode) | null
}) {
  const { title, version, text, file, contentSha256, changelog, consentText, status, dueDate, before } = read
  const isCorrection = read.acknowledgedVersion !== null && read.acknowledgedVersion !== version
  const [isInSight, end] = useReached()
  const [isMarked, setIsMarked] = useState(false)
  const marking = useQuery({ ...changesSince, enabled: isMarked })
  const saving = useMutation({ mutationFn: download })
  const reachedEnd = file ? saving.isSuccess : isInSight
  const [isAgreed, setIsAgreed] = useState(false)
  const sending = useMutation({
    mutationFn: () => acknowledge({ contentSha256, isAgreed: true, reachedEnd }),
  })
  const [replacedBefore, setReplacedBefore] = useState<unknown>(null)
  const error = sending.error ?? replacedBefore
  const isOpen = status === 'requested' || status === 'viewed'
  return (
    <Stack gap="md" component="article" aria-label={title}>
      <Stack gap={4}>
        <Title order={1}>{title}</Title>
        <Text size="sm" c="dimmed">
          {words.version(version)}
          {isOpen && (
            <>
              {' · '}
              {words.due} <time dateTime={dueDate}>{writtenDay(dueDate)}</time>
            </>
          )}
        </Text>
      </Stack>
      {changelog && (isOpen || isCorrection) && (
        <Alert title={words.changed} variant="light">
          <Markdown>{changelog}</Markdown>
        </Alert>
      )}
      {before && (
        <Group>
          <Button
            size="compact-md"
            variant="default"
            aria-pressed={isMarked}
            onClick={() => setIsMarked(!isMarked)}
          >
            {isMarked ? words.unmarked : words.marked(before.version)}
          </Button>
        </Group>
      )}
      {file ? (
        <Stack gap="xs" className={styles.file}>
          <Text size="sm">{words.file.text}</Text>
          <Group gap="sm">
            <Button
              variant={reachedEnd ? 'default' : 'filled'}
              loading={saving.isPending}
              onClick={() => saving.mutate(file.name)}
            >
              {words.file.download}
            </Button>
            <Text size="sm" c="dimmed" className={styles.fileName}>
              <bdi>{file.name}</bdi> · {sizeOf(file.bytes)}
            </Text>
          </Group>
          <ProblemAlert error={saving.error} />
        </Stack>
      ) : (
        <div className={styles.text}>
          {before && isMarked ? (
            <Loaded query={marking} lines={12}>
              {({ ChangesSince }) => (
                <ChangesSince
                  before={before.text}
                  text={text ?? ''}
                  pictures={pictures}
                  end={<div ref={end} />}
                />
              )}
            </Loaded>
          ) : (
            <>
              <Pictures value={pictures}>
                <Markdown isDocument>{text ?? ''}</Markdown>
              </Pictures>
              <div ref={end} />
            </>
          )}
        </div>
      )}
      {status === 'acknowledged' ? (
        <Said read={read} isCorrection={isCorrection} readCorrection={readCorrection} />
      ) : isProblem(error, 'text_changed') ? (
        <ReplacedText error={error} readNew={readNew} />
      ) : isOpen ? (
        <Stack gap="sm">
          <Checkbox
            label={consentText}
            checked={isAgreed}
            disabled={!reachedEnd}
            description={reachedEnd ? undefined : file ? words.file.first : words.reachEnd}
            onChange={({ currentTarget }) => setIsAgreed(currentTarget.checked)}
          />
          {isAgreed && first?.(sending.mutate, setReplacedBefore)}
          <ProblemAlert error={sending.error} />
          {!(isAgreed && first) && (
            <Group>
              <Button disabled={!isAgreed} loading={sending.isPending} onClick={() => sending.mutate()}>
                {words.submit}
              </Button>
            </Group>
          )}
        </Stack>
      ) : (
        <Text size="sm">{words.over}</Text>
      )}
      <Text c="dimmed" size="xs">
        {file ? words.file.hash : words.hash}: <span className={styles.hash}>{contentSha256}</span>
      </Text>
    </Stack>
  )
}

function Said({
  read: { acknowledgedAt, acknowledgedVersion, laterVersion, isCorrected },
  isCorrection,
  readCorrection,
}: {
  read: TextToRead
  isCorrection: boolean
  readCorrection: (isWanted: boolean) => void
}) {
  const other = isCorrection ? acknowledgedVersion : isCorrected ? laterVersion : null
  return (
    <Alert color="teal" title={isCorrection ? undefined : words.done.title} role="status">
      <Text size="sm">{isCorrection ? words.corrects(acknowledgedVersion!) : words.done.text}</Text>
      {acknowledgedAt && (
        <Text size="sm">
          {words.done.at} <DatedMoment at={acknowledgedAt} />
        </Text>
      )}
      {laterVersion && (
        <Text size="sm">{(isCorrected ? words.done.corrected : words.done.later)(laterVersion)}</Text>
      )}
      {other && (
        <Button
          mt="sm"
          size="compact-md"
          variant="default"
          onClick={() => {
            readCorrection(!isCorrection)
            scrollTo({ top: 0 })
          }}
        >
          {words.replaced.read(other)}
        </Button>
      )}
    </Alert>
  )
}

/** Says that another text took the place of the one that was read, of which nothing was recorded, and leads there. */
export function ReplacedText({
  error,
  readNew,
}: {
  error: unknown
  readNew: (id: string) => Promise<unknown>
}) {
  const { id, version } = (error as Problem).members
  const reading = useMutation({
    mutationFn: () => readNew(String(id)),
    onSuccess: () => scrollTo({ top: 0 }),
  })
  return (
    <Alert color="yellow" title={words.replaced.title} role="alert">
      <Text size="sm">{words.replaced.text}</Text>
      <Button mt="sm" size="compact-md" loading={reading.isPending} onClick={() => reading.mutate()}>
        {words.replaced.read(String(version))}
      </Button>
    </Alert>
  )
}

/** Comes with the first who asks for it. */
const changesSince = {
  queryKey: ['pages/policies/changes-since'],
  queryFn: () => import('../pages/policies/changes-since.tsx'),
  staleTime: Infinity,
  structuralSharing: false,
}

/** Whether the end was in sight, of the text with all its pictures. */
function useReached() {
  const [isReached, setIsReached] = useState(false)
  const coming = useIsFetching({ queryKey: [PICTURE] })
  const [element, setElement] = useState<HTMLDivElement | null>(null)
  useEffect(() => {
    if (!element || coming > 0) return
    const watching = new IntersectionObserver((seen) => {
      const isInSight = seen.some(({ isIntersecting }) => isIntersecting)
      if (isInSight && queries.isFetching({ queryKey: [PICTURE] }) === 0) setIsReached(true)
    })
    watching.observe(element)
    return () => watching.disconnect()
  }, [coming, element])
  return [isReached, setElement] as const
}
