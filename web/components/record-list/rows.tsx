import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react'
import type { AnyRecord } from '../../client/records.ts'
import { records } from '../../copy/records.ts'
import { Loaded } from '../loaded.tsx'
import { usePrinting } from '../use-printing.ts'
import { Cards } from './cards.tsx'
import type { RowsDrawn } from './row.tsx'
import styles from './rows.module.css'
import { Table } from './table.tsx'
import type { useRows } from './use-rows.ts'
import { CARD_HEIGHT, ROW_HEIGHT, useWindow } from './use-window.ts'

/** Below it rows are cards. */
const TABLE_FROM = 600

/** How many rows before the end the next page is asked for. */
const AHEAD = 100

/**
 * The part of a register that is scrolled: while it is, nothing else is drawn again.
 *
 * Its bar is as long as the register is, so that it can be dragged anywhere. Pages come one behind the other;
 * until they have come as far as somebody looks, there are lines without rows, and it says how far they are.
 */
export function Rows({
  view,
  query,
  empty,
  reveal,
  ...table
}: Omit<RowsDrawn, 'window' | 'count'> & {
  /** Another one begins at its top. */
  view: string
  query: ReturnType<typeof useRows>['query']
  /** What stands there instead of no rows; null while there are some, or may be. */
  empty: ReactNode
  /** Brings a row into sight. */
  reveal: RefObject<((index: number) => void) | null>
}) {
  const { isFetchingNextPage, isFetchNextPageError, fetchNextPage, isPlaceholderData } = query
  const { rows, groups, total = 0 } = table
  // What more there is of a group is asked for by hand.
  const hasNextPage = !groups && query.hasNextPage
  const box = useRef<HTMLDivElement>(null)
  const isPrinting = usePrinting()
  const isTable =
    useMediaQuery(`(width >= ${TABLE_FROM}px)`, true, { getInitialValueInEffect: false }) || isPrinting
  const here = groups?.lines.length ?? rows.length
  const count = hasNextPage && !isPlaceholderData && !isPrinting ? Math.max(total, here) : here
  const rowHeight = isTable ? ROW_HEIGHT : CARD_HEIGHT
  const inSight = useWindow(box, count, view, rowHeight)
  const window = isPrinting ? { ...inSight, first: 0, last: count } : inSight
  useImperativeHandle(reveal, () => inSight.reveal)

  useKeptFocus(box)
  useKeptPlace(box, groups ? NO_ROWS : rows, view, rowHeight)

  const wantsMore = hasNextPage && !isPrinting && window.last + AHEAD > rows.length
  useEffect(() => {
    if (wantsMore && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [wantsMore, isFetchingNextPage, isFetchNextPageError, fetchNextPage])

  return (
    <>
      <div ref={box} className={styles.box} data-late={isPlaceholderData || undefined} tabIndex={-1}>
        {empty ?? (
          <Loaded<unknown> query={groups ? groups.counts : query} lines={12}>
            {() =>
              isTable ? (
                <Table {...table} window={window} count={count} />
              ) : (
                <Cards {...table} window={window} count={count} />
              )
            }
          </Loaded>
        )}
      </div>
      {isFetchNextPageError && !groups ? (
        <div className={styles.told}>
          <Button variant="default" size="xs" onClick={() => void fetchNextPage()}>
            {records.retryMore}
          </Button>
        </div>
      ) : (
        window.lastSeen > rows.length &&
        hasNextPage && <div className={styles.told}>{records.read(rows.length, count)}</div>
      )}
    </>
  )
}

const NO_ROWS: readonly AnyRecord[] = []

/**
 * What others add or take away above the rows in sight does not move them. Who is at the top stays there, and sees
 * what comes.
 */
function useKeptPlace(
  box: RefObject<HTMLDivElement | null>,
  rows: readonly AnyRecord[],
  view: string,
  rowHeight: number,
): void {
  const before = useRef({ rows, view })
  useLayoutEffect(() => {
    const stood = before.current
    before.current = { rows, view }
    if (stood.rows === rows || stood.view !== view || stood.rows.length === 0) return
    // Asking has all of the page laid out: only where rows are other ones.
    const top = box.current?.scrollTop ?? 0
    if (top === 0) return
    const index = Math.floor(top / rowHeight)
    if (stood.rows[index]?.id === rows[index]?.id) return
    const places = new Map(rows.map(({ id }, place) => [id, place]))
    const kept = stood.rows.findIndex(({ id }, place) => place >= index && places.has(id))
    if (kept < 0) return
    box.current!.scrollTop = top + (places.get(stood.rows[kept]!.id)! - kept) * rowHeight
  })
}

/** A row that has the focus takes it along when it goes out of sight, and the keys that scroll would be dead. */
function useKeptFocus(box: RefObject<HTMLDivElement | null>): void {
  const isWithin = useRef(false)
  useEffect(() => {
    const moved = ({ target }: Event) => {
      isWithin.current = box.current?.contains(target as Node) ?? false
    }
    document.addEventListener('focusin', moved)
    document.addEventListener('pointerdown', moved)
    return () => {
      document.removeEventListener('focusin', moved)
      document.removeEventListener('pointerdown', moved)
    }
  }, [box])
  useLayoutEffect(() => {
    if (isWithin.current && document.activeElement === document.body)
      box.current?.focus({ preventScroll: true })
  })
}
