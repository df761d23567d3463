import { type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { type Deadline, dayOf } from '../../client/deadlines.ts'
import { plusDays } from './month.ts'

/*
 * Taking an entry of the calendar to another day: by the mouse, which drags it; by a finger, which holds it a moment first,
 * since one that moves at once scrolls; by keys, where Space takes and leaves it, arrows lead it by days and weeks, and
 * Escape puts it back.
 */

export interface Held {
  readonly one: Deadline
  /** The day where it would be left now. */
  readonly to: string
}

/** A mouse that moves no further clicks; a finger that moves so far scrolls. */
const STILL_PX = 6
const TOUCH_MS = 400

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** What a pointer is at: nothing is held until it has moved, or has been still for long enough. */
interface Pointed {
  readonly one: Deadline
  readonly x: number
  readonly y: number
  readonly timer: ReturnType<typeof setTimeout> | undefined
}

/**
 * @param leave is told where an entry was left
 * @param ask is told of one that a finger holds where days have no place of their own
 */
export function useHolding(leave: (held: Held) => void, ask: (one: Deadline) => void) {
  const [held, setHeld] = useState<Held | null>(null)
  const now = useRef<Held | null>(null)
  const pointed = useRef<Pointed | null>(null)
  const wasHeld = useRef(false)
  const grid = useRef<HTMLDivElement>(null)
  const hold = (next: Held | null) => {
    now.current = next
    setHeld(next)
  }
  const drop = () => {
    const last = now.current
    hold(null)
    if (last && last.to !== dayOf(last.one)) leave(last)
  }
  const end = () => {
    clearTimeout(pointed.current?.timer)
    pointed.current = null
  }
  const acts = useRef({ hold, drop, end })
  acts.current = { hold, drop, end }

  useEffect(() => {
    const move = (event: globalThis.PointerEvent) => {
      const { current } = pointed
      if (!current) return
      const isStill = Math.hypot(event.clientX - current.x, event.clientY - current.y) <= STILL_PX
      if (now.current || (!isStill && event.pointerType === 'mouse')) {
        const day = document
          .elementFromPoint(event.clientX, event.clientY)
          ?.closest<HTMLElement>('[data-day]')
        acts.current.hold({ one: current.one, to: day?.dataset.day ?? dayOf(current.one) })
      } else if (!isStill) acts.current.end()
    }
    const up = () => {
      if (!pointed.current) return
      wasHeld.current = now.current !== null
      acts.current.end()
      acts.current.drop()
    }
    const cancel = () => {
      if (!pointed.current) return
      acts.current.end()
      acts.current.hold(null)
    }
    const leaveIt = (event: globalThis.KeyboardEvent) => event.key === 'Escape' && cancel()
    // A page that scrolls under a finger takes the pointer away: it must be asked before the finger moves.
    const still = (event: TouchEvent) => now.current && event.preventDefault()
    const element = grid.current
    addEventListener('pointermove', move)
    addEventListener('pointerup', up)
    addEventListener('pointercancel', cancel)
    addEventListener('keydown', leaveIt)
    element?.addEventListener('touchmove', still, { passive: false })
    return () => {
      removeEventListener('pointermove', move)
      removeEventListener('pointerup', up)
      removeEventListener('pointercancel', cancel)
      removeEventListener('keydown', leaveIt)
      element?.removeEventListener('touchmove', still)
      acts.current.end()
    }
  }, [])

  const takes = (one: Deadline) => ({
    onPointerDown: ({ button, pointerType, clientX: x, clientY: y }: PointerEvent) => {
      if (button !== 0) return
      wasHeld.current = false
      const take = () => {
        if (hasPlaces(grid.current)) return hold({ one, to: dayOf(one) })
        end()
        wasHeld.current = true
        ask(one)
      }
      const timer = pointerType === 'mouse' ? undefined : setTimeout(take, TOUCH_MS)
      pointed.current = { one, x, y, timer }
    },
    onClickCapture: (event: MouseEvent) => wasHeld.current && event.preventDefault(),
    onContextMenu: (event: MouseEvent) => pointed.current && event.preventDefault(),
    onBlur: () => !pointed.current && hold(null),
    onKeyDown: (event: KeyboardEvent) => {
      const step = STEPS[event.key]
      const isHeld = now.current?.one === one
      if (event.key === ' ') isHeld ? drop() : hold({ one, to: dayOf(one) })
      else if (isHeld && event.key === 'Enter') drop()
      else if (isHeld && event.key === 'Escape') hold(null)
      else if (isHeld && step) hold({ one, to: plusDays(now.current!.to, step) })
      else return
      event.preventDefault()
    },
  })
  return { held, grid, takes }
}

/** Where the days lie beside each other; on a telephone those of them that have something are a list. */
const hasPlaces = (grid: HTMLElement | null): boolean =>
  grid !== null && getComputedStyle(grid).display === 'grid'
