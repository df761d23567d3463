import { useLayoutEffect } from 'react'
import { everyPage } from '../copy/every-page.ts'

/**
 * What the browser calls the page. It is written into the one title that the document came with: a title drawn by
 * React would stand beside it, and beside that of every other part that has one.
 */
export function PageTitle({ children: title }: { children: string }) {
  useLayoutEffect(() => {
    document.title = everyPage.titleOf(title)
  }, [title])
  return null
}
