/*
 * A dialog takes the focus, and is taken out of the page when it closes, so that the browser has nothing focused
 * then: whoever works with the keyboard would begin again at the top. The components give the focus back only where
 * they stay in the page when closed, which no dialog of ours does. So it is done here, for all of them: the focus
 * goes to where it was before; where that is gone, to the content of the page.
 *
 * What opens over a page (dialogs, menus, lists to choose from) is drawn as a child of `main` (theme.ts).
 */

const DIALOG = '[role=dialog]'
const OVERLAY = `${DIALOG}, .mantine-Menu-dropdown, .mantine-Popover-dropdown, .mantine-Combobox-dropdown`

let before: HTMLElement | null = null
const beforeIn = new WeakMap<Element, HTMLElement>()

/** Once, at the start of the app. */
export function returnFocus(): void {
  const watched = new WeakSet<Element>()
  const closing = new MutationObserver((changes) => {
    if (changes.some(({ removedNodes }) => removedNodes.length > 0)) giveBack()
  })
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    const dialog = target.closest(DIALOG)
    if (dialog) beforeIn.set(dialog, target)
    else if (!target.closest(OVERLAY)) before = target
    const main = document.querySelector('main')
    if (!main || watched.has(main)) return
    watched.add(main)
    closing.observe(main, { childList: true })
  })
}

function giveBack(): void {
  if (document.activeElement !== document.body && document.activeElement !== null) return
  const beneath = [...document.querySelectorAll(DIALOG)].at(-1)
  const place = beneath ? beforeIn.get(beneath) : before
  const there =
    place?.isConnected && place.checkVisibility() ? place : beneath ? null : document.querySelector('main')
  there?.focus({ preventScroll: true })
}
