import { useEffect, useRef } from 'react'

/**
 * Keys of a list, for whoever is not writing: what has the focus elsewhere (a field, a menu, a dialog) keeps
 * its keys.
 */
export function useListKeys(keys: Readonly<Record<string, () => void>>): void {
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const { target } = event
      if (target instanceof Element && target.closest(ELSEWHERE)) return
      if (document.querySelector('[role=dialog][aria-modal=true]')) return
      const act = current.current[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])
}

const ELSEWHERE =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]'
