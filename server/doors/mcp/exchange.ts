import type { Caller } from '../../caller/caller.ts'
import type { Refusal } from '../../refusal.ts'
import type { View } from './toolsets.ts'

/** One HTTP request of the MCP door while it is answered. */
export interface Exchange {
  readonly caller: Caller
  readonly view: View
  /** What a tool is called with. */
  readonly input: unknown
  /** Names, for the log and the metrics, the operation that was found for it, if any, and the tool that was called. */
  named(operation: string | null, tool: string): void
  /** Notes for them that the tool was refused, which its answer tells the model. */
  refused(refusal: Refusal): void
  /** Ends it with a refusal or fault, which the status of the answer tells, whatever else was said. */
  end(error: unknown): void
}

/** What answers a message, once the gate has let it pass. */
export type Serve = (request: Request, message: object, exchange: Exchange) => Promise<Answered>

export interface Answered {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string | ReadableStream | null
}

/** Of an answer of the protocol library: what is for the client to read, and not about the connection. */
export function headersOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(
      ([name]) => name === 'content-type' || name.startsWith('mcp-') || name.startsWith('x-'),
    ),
  )
}
