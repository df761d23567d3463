import styles from './foreign-text.module.css'

/*
 * Text that somebody else wrote, such as what a receiver answered. It is text whatever it looks like; what would
 * not be seen, or would turn what is around it (control characters, marks of direction, unpaired or private
 * ones), is shown by a symbol, and the order of its letters ends where it ends.
 */

/** Lines and tabs are laid out; anything else without a face of its own is named. */
const UNSEEN = /(?:(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0])+/gu

export function ForeignText({ children: text }: { children: string }) {
  const parts = []
  let from = 0
  for (const { 0: run, index } of text.matchAll(UNSEEN)) {
    if (index > from) parts.push(text.slice(from, index))
    parts.push(
      <span key={index} className={styles.unseen}>
        {[...run].map(symbolOf).join('')}
      </span>,
    )
    from = index + run.length
  }
  parts.push(text.slice(from))
  return <bdi dir="ltr">{parts}</bdi>
}

/** The same in a box that scrolls, by keyboard too. */
export function ForeignBox({ label, children }: { label: string; children: string }) {
  return (
    // biome-ignore-start lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={styles.box} tabIndex={0} aria-label={label}>
      <pre className={styles.text}>
        <ForeignText>{children}</ForeignText>
      </pre>
    </section>
    // biome-ignore-end lint/a11y/noNoninteractiveTabindex: -
  )
}

const PICTURES = 0x2400

function symbolOf(character: string): string {
  const code = character.codePointAt(0)!
  if (code < 0x20) return String.fromCodePoint(PICTURES + code)
  if (code === 0x7f) return '␡'
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
}
