/**
 * The log as a person reads it at a terminal: the time, and the words. Elsewhere the log is JSON.
 */
export function openTerminal(to: NodeJS.WriteStream) {
  return {
    /** What matters to whoever has just started the service. */
    say: (line: string): void => void to.write(`${line}\n`),
    /** Takes the log's own lines. */
    write: (json: string): void => void to.write(`${lineOf(JSON.parse(json))}\n`),
  }
}

function lineOf(entry: Record<string, unknown>): string {
  const { time, level, msg, err, ...others } = entry
  const clock = String(time).slice(11, 19)
  if (msg === 'request') {
    const { status, method, route, tool, code, durationMs } = others
    return `${clock}  ${[status, method, route, tool, code].filter(Boolean).join(' ')} ${durationMs} ms`
  }
  const more = Object.entries(others).map(([name, value]) => ` ${name}=${inWords(value)}`)
  const fault = err ? `\n${(err as { stack?: string }).stack ?? ''}` : ''
  return `${clock}  ${level === 'info' ? '' : `${level}: `}${msg}${more.join('')}${fault}`
}

const inWords = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)
