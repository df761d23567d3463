import { Unreadable } from './faults.ts'

/**
 * The text of a file in UTF-8, as JSON and YAML are written.
 * @throws {Unreadable} for any other encoding, which it names where it knows it
 */
export function decode(bytes: Uint8Array): string {
  if (bytes.length === 0) throw new Unreadable('', 'The file is empty: choose another.')
  const [first, second] = bytes
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  if (isWide || first === 0 || second === 0)
    throw new Unreadable('', 'The file is in UTF-16: save it as UTF-8.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Unreadable(lineOfFault(bytes), 'The file is not in UTF-8 from here on: save it as UTF-8.')
  }
}

/** The line on which the first byte stands that is no UTF-8. */
function lineOfFault(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf(0x0a, from)
    const end = found === -1 ? bytes.length : found + 1
    try {
      decoder.decode(bytes.subarray(from, end))
    } catch {
      break
    }
    line += 1
    from = end
  }
  return `line ${line}`
}
