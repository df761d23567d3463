const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const

/** "1.4 MB". */
export function sizeOf(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 1_000 && unit < UNITS.length - 1) {
    size /= 1_024
    unit++
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`
}
