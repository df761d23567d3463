/*
 * This runs before anything is drawn, as a plain script: it imports nothing.
 *
 * The scheme is what the reader chose, as the components keep it, or else what their system says.
 */
document.documentElement.dataset.mantineColorScheme = (() => {
  try {
    const kept = localStorage.getItem('mantine-color-scheme-value')
    if (kept === 'light' || kept === 'dark') return kept
  } catch {
    // A browser that keeps nothing for us has only its system's word.
  }
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
})()

// Whether a page before sign-in is on the way, which has no frame (skeleton.css).
if (/^\/(sign-in|set-up|invitation|reset|consent)(\/|$)/.test(location.pathname))
  document.documentElement.dataset.entrance = ''
