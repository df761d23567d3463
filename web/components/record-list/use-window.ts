import { useLocation } from '@tanstack/react-router'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Of a row of the table, and of a card in its place. */
export const ROW_HEIGHT = 36
export const CARD_HEIGHT = 104
const HEAD_HEIGHT = 34
const BEYOND = 10
const STEP = 8

/** Where each visited place of the history was scrolled to. */
const places = new Map<string, number>()

/**
 * Which rows of many are drawn: those in sight and some beyond. What was scrolled to is found again when one
 * comes back to this place of the history.
 *
 * @param view another one begins at its top
 * @param rowHeight of each row
 */
export function useWindow(
  box: RefObject<HTMLDivElement | null>,
  count: number,
  view: string,
  rowHeight: number,
) {
  const [from, setFrom] = useState(0)
  const [height, setHeight] = useState(800)
  const place = useLocation({
    select: ({ state, href }) => (state as { __TSR_key?: string }).__TSR_key ?? href,
  })
  const current = useRef(place)
  current.current = place

  // A list that is new to the page is at its top: asking it would have all of the page laid out for that.
  const isNew = useRef(true)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the place counts only when the view changes
  useLayoutEffect(() => {
    const kept = places.get(place) ?? 0
    if (box.current && (kept > 0 || !isNew.current)) box.current.scrollTop = kept
    isNew.current = false
  }, [view])

  useLayoutEffect(() => {
    const { current: element } = box
    if (!element) return
    let asked = 0
    const read = () => {
      asked = 0
      places.set(current.current, element.scrollTop)
      setFrom(Math.floor(element.scrollTop / rowHeight / STEP) * STEP)
    }
    const scrolled = () => {
      asked ||= requestAnimationFrame(read)
    }
    const resized = new ResizeObserver(() => setHeight(element.clientHeight))
    element.addEventListener('scroll', scrolled, { passive: true })
    resized.observe(element)
    if (places.has(current.current)) read()
    return () => {
      cancelAnimationFrame(asked)
      element.removeEventListener('scroll', scrolled)
      resized.disconnect()
    }
  }, [box, rowHeight])

  const first = Math.max(0, Math.min(from, count) - BEYOND)
  const last = Math.min(count, from + Math.ceil(height / rowHeight) + STEP + BEYOND)
  const reveal = (index: number) => {
    const { current: element } = box
    if (!element) return
    const top = index * rowHeight
    const bottom = top + rowHeight + HEAD_HEIGHT
    if (top < element.scrollTop) element.scrollTop = top
    else if (bottom > element.scrollTop + element.clientHeight)
      element.scrollTop = bottom - element.clientHeight
  }
  const lastSeen = Math.min(count, from + Math.floor(height / rowHeight))
  return { first, last, lastSeen, reveal }
}
