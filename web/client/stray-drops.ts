/**
 * A file that is dropped beside the place that takes it does not open in place of the app.
 * @returns what ends that
 */
export function refuseStrayDrops(): () => void {
  window.addEventListener('dragover', refuse)
  window.addEventListener('drop', refuse)
  return () => {
    window.removeEventListener('dragover', refuse)
    window.removeEventListener('drop', refuse)
  }
}

function refuse(event: DragEvent): void {
  if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
  // Where something is written the page hears of what is dropped only if this is left alone.
  const isWritten = (event.target as Element).closest('textarea, input, [contenteditable]') !== null
  if (event.type === 'dragover' && isWritten) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'none'
}
