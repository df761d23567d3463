import { randomBytes } from 'node:crypto'
import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type McpServer,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { asking, said, text } from './content.ts'

/** Signs what a client is given to bring back. */
export const states = createRequestStateCodec<{ round: number }>({ key: randomBytes(32) })

const nothing = z.object({})
const { elicit, createMessage, listRoots } = inputRequired

const question = (words: string, maxTokens: number) =>
  createMessage({ messages: [{ role: 'user', content: text(words) }], maxTokens })
const name = (message = 'What is your name?') => elicit({ message, requestedSchema: asking('name') })

/** Tools that need another round: what they ask for, they get with the next call. */
export function addRounds(server: McpServer): void {
  const add = (tool: string, run: (context: Context) => Promise<object>, prefix = 'input_required_result_') =>
    server.registerTool(`test_${prefix}${tool}`, { description: tool, inputSchema: nothing }, ((
      _input: object,
      { mcpReq }: { mcpReq: Context },
    ) => run(mcpReq)) as never)

  const words = () => question('What is the capital of France?', 100)
  // The library refuses to ask a client for what it cannot do.
  add('missing_capability', async () => inputRequired({ inputRequests: { words: words() } }), '')
  add('elicitation', async ({ inputResponses }) => {
    const told = acceptedContent(inputResponses, 'user_name', z.object({ name: z.string() }))
    return told ? said(`Hello, ${told.name}!`) : inputRequired({ inputRequests: { user_name: name() } })
  })
  add('sampling', async ({ inputResponses }) => {
    const told = inputResponse(inputResponses, 'capital_question')
    return told.kind === 'sampling'
      ? said(JSON.stringify(told.result.content))
      : inputRequired({
          inputRequests: { capital_question: words() },
        })
  })
  add('list_roots', async ({ inputResponses }) => {
    const told = inputResponse(inputResponses, 'client_roots')
    return told.kind === 'roots'
      ? said(told.roots.map(({ uri }) => uri).join(' '))
      : inputRequired({ inputRequests: { client_roots: listRoots() } })
  })
  for (const tool of ['request_state', 'tampered_state'])
    add(tool, async ({ inputResponses, requestState }) => {
      if (requestState() && inputResponse(inputResponses, 'confirm').kind === 'elicit')
        return said('state-ok')
      const confirm = elicit({ message: 'Please confirm', requestedSchema: asking('ok') })
      return inputRequired({ inputRequests: { confirm }, requestState: await states.mint({ round: 1 }) })
    })
  add('multiple_inputs', async ({ inputResponses, requestState }) => {
    const kinds = ['user_name', 'greeting', 'client_roots'].map(
      (key) => inputResponse(inputResponses, key).kind,
    )
    if (requestState() && !kinds.includes('missing')) return said('All is told.')
    return inputRequired({
      inputRequests: {
        user_name: name(),
        greeting: question('Generate a greeting', 50),
        client_roots: listRoots(),
      },
      requestState: await states.mint({ round: 1 }),
    })
  })
  add('multi_round', async ({ inputResponses, requestState }) => {
    const round = requestState<{ round: number }>()?.round ?? 0
    if (round === 2 && acceptedContent(inputResponses, 'step2')) return said('Both are told.')
    const [step, asked] =
      round === 1 && acceptedContent(inputResponses, 'step1')
        ? ([
            'step2',
            elicit({ message: 'Step 2: What is your favorite color?', requestedSchema: asking('color') }),
          ] as const)
        : (['step1', name('Step 1: What is your name?')] as const)
    return inputRequired({
      inputRequests: { [step]: asked },
      requestState: await states.mint({ round: step === 'step1' ? 1 : 2 }),
    })
  })
  add('capabilities', async ({ envelope }) => {
    const able = envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? {}
    return inputRequired({
      inputRequests: {
        ...(able.sampling ? { words: question('Say something', 50) } : {}),
        ...(able.elicitation ? { user_name: name() } : {}),
        ...(able.roots ? { client_roots: listRoots() } : {}),
      },
      requestState: await states.mint({ round: 1 }),
    })
  })
}

/** The part of a request's context that these tools look at. */
export interface Context {
  inputResponses?: Record<string, unknown>
  requestState<T>(): T | undefined
  envelope?: { 'io.modelcontextprotocol/clientCapabilities'?: Record<string, object> }
}
