import { cloneElement, type ReactElement, useLayoutEffect, useRef, useState } from 'react'

/** What a menu is given by the button that opens it. */
export interface OpenedMenu {
  target: ReactElement
  opened: boolean
  onChange: (opened: boolean) => void
}

/** How the buttons at the head of the page look. */
export const MENU_BUTTON = {
  variant: 'subtle',
  color: 'gray',
  c: 'var(--mantine-color-text)',
  size: 'compact-md',
} as const

/**
 * The button of a menu. What opens over a page is dear to load, and nobody opens it at first: so its code comes once
 * the page stands. Whoever presses the button sooner gets the menu as soon as it is there.
 * @param menu once it is loaded
 */
export function LaterMenu({
  button,
  menu,
}: {
  button: ReactElement
  menu: ((opened: OpenedMenu) => ReactElement) | undefined
}) {
  const [opened, setOpened] = useState(false)
  const place = useRef<HTMLButtonElement>(null)
  const hasFocus = useRef(false)
  const isLoaded = menu !== undefined
  // The menu draws the button anew: who was on it stays on it.
  useLayoutEffect(() => {
    if (isLoaded && hasFocus.current) place.current?.focus()
  }, [isLoaded])
  const props = isLoaded
    ? { ref: place }
    : {
        ref: place,
        'aria-haspopup': 'menu',
        'aria-expanded': false,
        onClick: () => setOpened(true),
        onFocus: () => {
          hasFocus.current = true
        },
        onBlur: () => {
          hasFocus.current = false
        },
      }
  const target = cloneElement(button, props as object)
  return menu ? menu({ target, opened, onChange: setOpened }) : target
}
