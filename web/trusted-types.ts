/*
 * With `require-trusted-types-for 'script'` the browser asks this policy about every text that is to become
 * markup. The app makes none; only the components put their styles into <style> elements that way. So what
 * has no `<` may pass, being text and nothing else, and anything else is refused as if there were no policy.
 * Texts that are to become script, or the address of one, have no rule here: they are always refused.
 */
interface PolicyFactory {
  createPolicy(name: 'default', rules: { createHTML(text: string): string | null }): unknown
}

const { trustedTypes } = window as { trustedTypes?: PolicyFactory }
trustedTypes?.createPolicy('default', { createHTML: (text) => (text.includes('<') ? null : text) })

export {}
