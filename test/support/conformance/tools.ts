import { setTimeout as sleep } from 'node:timers/promises'
import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { image, resource, said, text, WAV } from './content.ts'

const nothing = z.object({})

/** The tools that the suite calls by name, for answers of every form and messages on the way. */
export function addTools(server: McpServer): void {
  const add = (name: string, answer: () => object) =>
    server.registerTool(name, { description: name, inputSchema: nothing }, async () => answer() as never)

  add('test_simple_text', () => said('This is a simple text response for testing.'))
  add('test_image_content', () => ({ content: [image] }))
  add('test_audio_content', () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }))
  add('test_embedded_resource', () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }))
  add('test_multiple_content_types', () => ({
    content: [
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }))
  add('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  add('test_streaming_elicitation', () => said('Nothing is asked on the stream.'))
  for (const name of ['test_tool_with_logging', 'test_logging_tool'])
    server.registerTool(name, { description: name, inputSchema: nothing }, async (_input, { mcpReq }) => {
      for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await mcpReq.log('info', words)
        await sleep(50)
      }
      return said('Logged.')
    })
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Tells how far it is', inputSchema: nothing },
    async (_input, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          await mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 100 },
          })
        await sleep(50)
      }
      return said('Done.')
    },
  )
  addAsking(server)
}

/** What tools of the era before ask the client for while they run. */
function addAsking(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    { description: 'Asks for words', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const { content } = await mcpReq.requestSampling(
        {
          messages: [{ role: 'user', content: text(prompt) }],
          maxTokens: 100,
        },
        { relatedRequestId: mcpReq.id },
      )
      return said(`LLM response: ${JSON.stringify(content)}`)
    },
  )
  const elicit = (name: string, requestedSchema: object, shape: z.ZodObject = nothing) =>
    server.registerTool(name, { description: name, inputSchema: shape }, async (input, { mcpReq }) => {
      const message = String((input as { message?: string }).message ?? 'Please fill this in')
      const { action, content } = await mcpReq.elicitInput({ message, requestedSchema } as never, {
        relatedRequestId: mcpReq.id,
      })
      return said(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`)
    })
  const string = { type: 'string' }
  elicit(
    'test_elicitation',
    { type: 'object', properties: { username: string, email: string }, required: ['username', 'email'] },
    z.object({ message: z.string() }),
  )
  elicit('test_elicitation_sep1034_defaults', {
    type: 'object',
    properties: {
      name: { ...string, default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { ...string, enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    },
    required: [],
  })
  const titled = ['value1', 'value2', 'value3'].map((value) => ({ const: value, title: `Option ${value}` }))
  elicit('test_elicitation_sep1330_enums', {
    type: 'object',
    properties: {
      untitledSingle: { ...string, enum: ['option1', 'option2', 'option3'] },
      titledSingle: { ...string, oneOf: titled },
      legacyEnum: { ...string, enum: ['opt1', 'opt2'], enumNames: ['Option One', 'Option Two'] },
      untitledMulti: { type: 'array', items: { ...string, enum: ['option1', 'option2', 'option3'] } },
      titledMulti: { type: 'array', items: { anyOf: titled } },
    },
    required: [],
  })
}
