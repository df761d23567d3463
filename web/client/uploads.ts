import { useSyncExternalStore } from 'react'
import { uploads as words } from '../copy/uploads.ts'
import { call, type Output } from './calls.ts'
import { onConnectionState } from './connection-state.ts'
import { isUnreached } from './problem.ts'
import { sendBytes } from './send.ts'

/*
 * Files on their way to the service: in parts, one file after another, so that a broken line costs the part that was on
 * it. Where the service is not reached, a file waits and goes on from there by itself; one that is chosen again goes on
 * from the parts that came. They stand here and not in a page, so that whoever goes to another page does not stop them.
 */

export interface Upload {
  readonly key: number
  /** Where they were dropped: what is shown together. */
  readonly place: string
  readonly name: string
  readonly bytes: number
  readonly sent: number
  readonly state: 'queued' | 'reading' | 'sending' | 'waiting' | 'apart' | 'done' | 'failed'
  /** What of it was left out, and why. */
  readonly left?: readonly string[]
  readonly error?: unknown
}

export type SentFile = Output<'finishFile'>

/** What is done with a file once it is there. @returns what of it was left out */
export type Then = (
  sent: SentFile,
  tell: (state: Upload['state']) => void,
) => Promise<readonly string[] | null>

/** So small that a slow line brings one within the time that a request has. */
const PART = 1024 * 1024
const SMALLEST_PART = 64 * 1024
/** Without a word of the connection, it is tried again after so long. */
const RETRY_MS = 5_000

let uploads: readonly Upload[] = []
const listeners = new Set<() => void>()
let drawn = 0
let last: Promise<unknown> = Promise.resolve()

/** What stands at a place, in the order in which it was given. */
export const useUploads = (place: string): readonly Upload[] => {
  const all = useSyncExternalStore(subscribe, () => uploads)
  return all.filter((one) => one.place === place)
}

const subscribe = (tell: () => void) => {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

function change(key: number, now: Partial<Upload>): void {
  keep(uploads.map((one) => (one.key === key ? { ...one, ...now } : one)))
}

function keep(now: readonly Upload[]): void {
  uploads = now
  // Who leaves while some are on their way is asked first, as these end with the page.
  if (uploads.every(isOver)) window.removeEventListener('beforeunload', askFirst)
  else window.addEventListener('beforeunload', askFirst)
  for (const tell of listeners) tell()
}

const askFirst = (event: BeforeUnloadEvent) => event.preventDefault()

/** Takes those that are over from where they are shown. */
export function forgetUploads(place: string): void {
  keep(uploads.filter((one) => one.place !== place || !isOver(one)))
}

export const isOver = ({ state }: Upload): boolean => state === 'done' || state === 'failed'

/**
 * Sends files, one after another.
 * @param then what is done with each once it is there; what it is refused for is told at the file
 */
export function uploadFiles(place: string, files: readonly File[], then: Then): void {
  for (const { file, key } of begin(place, files)) queue(key, file, then).catch(() => {})
}

/**
 * Sends one file, and answers it once it is there.
 * @throws {Problem} what it is refused for
 */
export async function uploadFile(place: string, file: File): Promise<SentFile> {
  const { key } = begin(place, [file])[0]!
  const { promise, resolve } = Promise.withResolvers<SentFile>()
  await queue(key, file, async (sent) => {
    resolve(sent)
    return null
  })
  return promise
}

function begin(place: string, files: readonly File[]): { file: File; key: number }[] {
  const begun = files.map((file) => ({ file, key: ++drawn }))
  keep([
    ...uploads,
    ...begun.map(
      ({ file, key }): Upload => ({
        key,
        place,
        name: file.name,
        bytes: file.size,
        sent: 0,
        state: 'queued',
      }),
    ),
  ])
  return begun
}

function queue(key: number, file: File, then: Then): Promise<unknown> {
  const sending = last.then(() => uploadOne(key, file, then))
  last = sending.then(
    (left) => change(key, { state: 'done', sent: file.size, ...(left && left.length > 0 && { left }) }),
    (error: unknown) => change(key, { state: 'failed', error }),
  )
  return sending
}

async function uploadOne(key: number, file: File, then: Then): Promise<readonly string[] | null> {
  if (file.size === 0) throw new Error(words.empty)
  change(key, { state: 'reading' })
  const sha256 = await hashOf(file)
  const partBytes = Math.max(SMALLEST_PART, Math.min(PART, file.size))
  const type = file.type === '' ? {} : { type: file.type }
  const begun = await again(key, () =>
    call('createFile', { name: file.name, bytes: file.size, sha256, partBytes, ...type }),
  )
  // Of one that was begun before, such as by a page that was closed since, some are there.
  const there = new Set(begun.parts)
  for (let number = 1, from = 0; from < file.size; number++, from += partBytes) {
    if (there.has(number)) continue
    change(key, { state: 'sending', sent: from })
    const part = file.slice(from, from + partBytes)
    await again(key, () => sendBytes(`/web/putFilePart?id=${begun.id}&number=${number}`, part))
  }
  change(key, { sent: file.size })
  const sent = await again(key, () => call('finishFile', { id: begun.id }))
  return again(key, () => then(sent, (state) => change(key, { state })))
}

/** Does something until the service was reached. */
async function again<T>(key: number, work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      const result = await work()
      change(key, { state: 'sending' })
      return result
    } catch (error) {
      if (!isUnreached(error)) throw error
      change(key, { state: 'waiting' })
      await reachedOrLater()
    }
}

function reachedOrLater(): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(go, RETRY_MS)
    const stop = onConnectionState((now) => {
      if (now === 'here') go()
    })
  })
}

async function hashOf(file: File): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Asks for the link of a file, and has the browser save what it leads to. */
export async function downloadFile(id: string): Promise<void> {
  saveFrom((await call('downloadFile', { id })).url)
}

/** Has the browser save what a link leads to. */
export function saveFrom(url: string): void {
  const link = document.createElement('a')
  link.href = new URL(url).pathname
  link.click()
}
