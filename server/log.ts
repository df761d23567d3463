import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino'

/**
 * The log: JSON, one object a line, of fields that are named where they are written. Nothing hands it a
 * request, a body or a record. The one thing it takes whole is an error, and of that only what it is and
 * where it came from: what PostgreSQL quotes of a row, or a library of its options, stays out. As a second
 * net, whatever looks like one of our secrets is cut from its words.
 */
export function openLog(level: LevelWithSilent, to?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: plainError },
  }
  return to ? pino(options, to) : pino(options)
}

function plainError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, constraint, table } = error as { code?: string; constraint?: string; table?: string }
  return {
    type: error.name,
    code,
    constraint,
    table,
    message: withoutSecrets(error.message),
    stack: withoutSecrets(error.stack ?? ''),
  }
}

const SECRETS = /\b(comply_|whsec_)[A-Za-z0-9+/=_-]+|:\/\/[^\s/@]+@/g

export const withoutSecrets = (text: string): string =>
  text.replace(SECRETS, (_, word?: string) => (word ? `${word}…` : '://…@'))
