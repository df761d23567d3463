import { isChild, kindAtPath, parentKind, pathsOf } from '../../../model/family.ts'
import { unknownName } from '../../input.ts'
import type { AnyOperation } from '../../operation.ts'
import { type FieldError, invalid } from '../../refusal.ts'

/** What an address asks to be shown; it only ever narrows. */
export interface View {
  /** Null: the core of what the credential may use. */
  readonly toolsets: ReadonlySet<string> | 'all' | null
  readonly readonly: boolean
}

/** What is shown first where the address names no toolsets, in this order. */
export const CORE: readonly string[] = [
  'me',
  'principals',
  'risks',
  'controls',
  'policies',
  'evidence',
  'vendors',
  'webhooks',
]

/** The webhook calls that integrations are built on. Credentials with their scopes always see them. */
export const WEBHOOK_TOOLS: ReadonlySet<string> = new Set([
  'listWebhookEndpoints',
  'createWebhookEndpoint',
  'updateWebhookEndpoint',
  'rotateWebhookEndpointSecret',
  'testWebhookEndpoint',
  'deleteWebhookEndpoint',
  'listWebhookDeliveries',
  'getWebhookDelivery',
  'redeliverWebhookDelivery',
])

/** Where the first word of the path is not the word that people use. */
const WORDS: Record<string, string> = {
  'ownership-principals': 'principals',
  'webhook-endpoints': 'webhooks',
  'webhook-deliveries': 'webhooks',
  records: 'comments',
}

/** The tools of one subject go together, and with them those of what is under it. */
export function toolsetOf({ path }: AnyOperation): string {
  const kind = kindAtPath(path)
  const place = kind && isChild(kind) ? pathsOf(parentKind(kind)).all : path
  const word = place.split('/')[2]!
  return WORDS[word] ?? word
}

/**
 * Reads `?toolsets=a,b` (or `all`) and `?readonly=1`.
 * @throws {Refusal} `validation_failed` for a toolset or parameter that nobody knows, with the nearest
 */
export function readView(query: Map<string, string[]>, known: readonly string[]): View {
  const errors: FieldError[] = []
  let toolsets: View['toolsets'] = null
  let readonly = false
  for (const [name, values] of query) {
    const words = values.flatMap((value) => value.split(',')).flatMap((word) => word.trim() || [])
    if (name === 'toolsets') {
      const unknown = [...new Set(words)].filter((word) => word !== 'all' && !known.includes(word))
      for (const word of unknown.slice(0, UNKNOWN_AT_MOST))
        errors.push({
          path: 'toolsets',
          message: `${quoted(word)}: ${unknownName(word, known, 'toolset')}`,
        })
      if (words.length === 0)
        errors.push({ path: 'toolsets', message: `name some of ${known.join(', ')}, or all` })
      toolsets = words.includes('all') ? 'all' : new Set(words)
    } else if (name === 'readonly') {
      const [word = ''] = words
      if (words.length > 1 || !['1', '0', 'true', 'false'].includes(word))
        errors.push({ path: 'readonly', message: 'give 1 for a connection that only reads, or leave it out' })
      readonly = word === '1' || word === 'true'
    } else {
      const message = `${unknownName(name, ['toolsets', 'readonly'])} A credential goes in the Authorization header.`
      errors.push({ path: name.slice(0, 100), message })
    }
  }
  if (errors.length > 0) throw invalid(...errors.slice(0, UNKNOWN_AT_MOST))
  return { toolsets, readonly }
}

const UNKNOWN_AT_MOST = 20

const quoted = (word: string) => JSON.stringify(word.slice(0, 100))
