import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

let isPrinting = false
const heard = new Set<() => void>()

/**
 * Whether the page is being printed: then what is out of sight is drawn as well, and what holds for now alone is written
 * out, before the browser takes it.
 */
export const usePrinting = (): boolean => useSyncExternalStore(listen, () => isPrinting)

function listen(tell: () => void): () => void {
  if (heard.size === 0) {
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
  }
  heard.add(tell)
  return () => {
    heard.delete(tell)
    if (heard.size > 0) return
    removeEventListener('beforeprint', begin)
    removeEventListener('afterprint', end)
  }
}

const begin = () => turn(true)
const end = () => turn(false)

function turn(is: boolean): void {
  isPrinting = is
  flushSync(() => {
    for (const tell of [...heard]) tell()
  })
}
