/*
 * A dialog takes the focus, and is taken out of the page when it closes, so that the browser has nothing focused
 * then: whoever works with the keyboard would begin again at the top. The components give the focus back only where
 * they stay in the page when closed, which no dialog of ours does. So it is done here, for all of them: the focus
 * goes to where it was before; where that is gone, to the content of the page.
 *
 * Dialogs, menus and tooltips are drawn into one node at the end of the page, each as a child of it.
 */

const OVERLAYS = '[data-mantine-shared-portal-node]'
const DIALOG = '[role=dialog]'

let before: HTMLElement | null = null
const beforeIn = new WeakMap<Element, HTMLElement>()

/** Once, at the start of the app. */
export function returnFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    const dialog = target.closest(DIALOG)
    if (dialog) beforeIn.set(dialog, target)
    else if (!target.closest(OVERLAYS)) before = target
  })
  const watched = new WeakSet<Node>()
  const closing = new MutationObserver((changes) => {
    if (changes.some(({ removedNodes }) => removedNodes.length > 0)) giveBack()
  })
  new MutationObserver(() => {
    for (const node of document.querySelectorAll(OVERLAYS)) {
      if (watched.has(node)) continue
      watched.add(node)
      closing.observe(node, { childList: true })
    }
  }).observe(document.body, { childList: true })
}

function giveBack(): void {
  if (document.activeElement !== document.body && document.activeElement !== null) return
  const beneath = [...document.querySelectorAll(DIALOG)].at(-1)
  const place = beneath ? beforeIn.get(beneath) : before
  const there =
    place?.isConnected && place.checkVisibility() ? place : beneath ? null : document.querySelector('main')
  there?.focus({ preventScroll: true })
}
