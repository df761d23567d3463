import type { IncomingMessage } from 'node:http'
import type { Session } from '../caller/session.ts'

/** Who is signed in to the web app in the browser that sent a request. */
export type CurrentSession = (request: IncomingMessage) => Promise<Session | null>
