import { useRouter } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, MouseEvent } from 'react'

/** A link to an address of the app that is written out, its query too. */
export function AppLink({ href, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const { history } = useRouter()
  const go = (event: MouseEvent) => {
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    if (!isPlain || event.defaultPrevented) return
    event.preventDefault()
    history.push(href)
  }
  return <a {...rest} href={href} onClick={go} />
}
