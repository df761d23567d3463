import { randomUUID } from 'node:crypto'
import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { type Answered, headersOf, type Serve } from '../../../server/doors/mcp/exchange.ts'
import { addPrompts, addResources } from './resources.ts'
import { addRounds, states } from './rounds.ts'
import { addTools } from './tools.ts'

/**
 * What the conformance suite of the protocol talks with, behind our own gate: the same library, serving what the
 * suite calls by name, of which the service has nothing. In the era before, tools asked their client for things
 * while they ran; that takes sessions, which the service has none of and this fixture keeps.
 */
export function serveFixture(): Serve {
  const modern = createMcpHandler(() => fixture())
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  return async (request, message) => {
    if (!(await isLegacyRequest(request, message)))
      return answered(await modern.fetch(request, { parsedBody: message }))
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '')
    const transport = known ?? (await begin(sessions))
    return answered(await transport.handleRequest(request, { parsedBody: message }))
  }
}

async function begin(sessions: Map<string, WebStandardStreamableHTTPServerTransport>) {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  })
  await fixture().connect(transport)
  return transport
}

function fixture(): McpServer {
  const server = new McpServer(
    { name: 'fixture', version: '1' },
    {
      capabilities: { tools: {}, prompts: {}, resources: { subscribe: true }, logging: {}, completions: {} },
      requestState: { verify: states.verify },
    },
  )
  addTools(server)
  addRounds(server)
  addResources(server)
  addPrompts(server)
  for (const method of ['resources/subscribe', 'resources/unsubscribe'] as const)
    server.server.setRequestHandler(method, () => ({}))
  return server
}

const answered = (response: Response): Answered => ({
  status: response.status,
  headers: headersOf(response),
  body: response.body,
})
