import { type CSSProperties, createContext, type ReactNode, use, useLayoutEffect, useState } from 'react'
import { SignedInContext } from '../client/session.ts'
import { everyPage } from '../copy/every-page.ts'

/*
 * The place of a page while its code or its data is on the way: boxes where its pieces will be. Which shape a page
 * has is said beside its path (routes.tsx). The code of it comes with the app itself, and so takes no components.
 */

/** What a page is made of beneath its head. */
export type PageShape = 'cards' | 'list' | 'record' | 'table' | 'form' | 'matrix' | 'entrance'

/** Of the page that is gone to; guests have no router that would know it (routes.tsx). */
export const PageShapeContext = createContext<PageShape>('table')

/** For the router: around the page where there is no frame yet. */
export function PagePending() {
  const shape = use(PageShapeContext)
  const isInFrame = use(SignedInContext) !== null
  const page = (
    <div className="skeleton-page">
      <Head />
      <Body shape={shape} />
    </div>
  )
  if (isInFrame) return <Skeleton>{page}</Skeleton>
  return (
    <Skeleton>
      {shape === 'entrance' ? (
        <div className="skeleton-entrance">
          <Box height="20rem" />
        </div>
      ) : (
        <div className="skeleton-frame">{page}</div>
      )}
    </Skeleton>
  )
}

/** For a page that has its head, and waits for the rest. */
export function PageBodySkeleton() {
  return (
    <Skeleton>
      <Body shape={use(PageShapeContext)} />
    </Skeleton>
  )
}

/** For a part of a page that will be about so many lines. */
export function LinesSkeleton({ lines }: { lines: number }) {
  return (
    <Skeleton>
      <Lines count={lines} />
    </Skeleton>
  )
}

/** What comes at once should not flicker first. */
const DELAY = 200
/** What follows another within it belongs to the same wait. */
const BETWEEN = 100

/**
 * The wait that goes on, or was the last: the skeleton of the document, of the page and of its parts follow each
 * other without a blank between them. It begins with the document's.
 */
const wait = { since: 0, skeletons: 0, endedAt: Number.POSITIVE_INFINITY }

function Skeleton({ children }: { children: ReactNode }) {
  const [delay] = useState(() => {
    const now = performance.now()
    if (wait.skeletons === 0 && now - wait.endedAt > BETWEEN) wait.since = now
    return Math.max(0, DELAY - (now - wait.since))
  })
  useLayoutEffect(() => {
    wait.skeletons += 1
    return () => {
      wait.skeletons -= 1
      wait.endedAt = performance.now()
    }
  }, [])
  return (
    <div
      className="skeleton"
      role="status"
      aria-label={everyPage.loading}
      style={{ '--skeleton-delay': `${delay}ms` } as CSSProperties}
    >
      {children}
    </div>
  )
}

function Body({ shape }: { shape: PageShape }): ReactNode {
  switch (shape) {
    case 'cards':
      return (
        <div className="skeleton-page">
          <Box height="9rem" />
          <div className="skeleton-columns">
            {['20rem', '16rem', '24rem', '14rem'].map((height) => (
              <Box key={height} height={height} />
            ))}
          </div>
        </div>
      )
    case 'list':
      return (
        <div className="skeleton-lines">
          <div className="skeleton-row">
            <Box height="1.875rem" width="16rem" />
            <Box height="1.875rem" width="6rem" />
          </div>
          <Lines count={14} />
        </div>
      )
    case 'record':
      return (
        <div className="skeleton-page">
          <Box height="2rem" width="20rem" />
          <div className="skeleton-columns" data-uneven>
            <Lines count={10} />
            <Box height="16rem" />
          </div>
        </div>
      )
    case 'form':
      return (
        <div className="skeleton-page">
          {Array.from({ length: 6 }, (_, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
            <div key={at} className="skeleton-lines">
              <Box height="0.875rem" width="8rem" />
              <Box height="2.25rem" width="32rem" />
            </div>
          ))}
        </div>
      )
    case 'matrix':
      return <Box height="28rem" />
    default:
      return <Lines count={8} />
  }
}

const Head = () => (
  <div className="skeleton-lines">
    <Box height="1.6875rem" width="12rem" />
    <Box height="1.25rem" width="28rem" />
  </div>
)

const Lines = ({ count }: { count: number }) => (
  <div className="skeleton-lines">
    {Array.from({ length: count }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
      <Box key={line} height="2.25rem" />
    ))}
  </div>
)

const Box = ({ height, width }: { height: string; width?: string }) => (
  <div
    className="skeleton-box"
    style={{ '--box-height': height, ...(width ? { '--box-width': width } : {}) } as CSSProperties}
  />
)
