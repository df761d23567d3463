import {
  acceptedContent,
  completable,
  inputRequired,
  type McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { asking, image, PNG, resource, text } from './content.ts'
import type { Context } from './rounds.ts'

const user = (...content: object[]) => ({
  messages: content.map((each) => ({ role: 'user', content: each })),
})

/** The resources and prompts that the suite asks for by name. */
export function addResources(server: McpServer): void {
  const add = (path: string, mimeType: string, held: object) =>
    server.registerResource(path, `test://${path}`, { description: path, mimeType }, async ({ href }) => ({
      contents: [{ uri: href, mimeType, ...held } as never],
    }))
  add('static-text', 'text/plain', { text: 'This is the content of the static text resource.' })
  add('static-binary', 'image/png', { blob: PNG })
  add('watched-resource', 'text/plain', { text: 'Watched.' })
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'By its id', mimeType: 'application/json' },
    async ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  )
}

export function addPrompts(server: McpServer): void {
  const add = (name: string, argsSchema: z.ZodObject | undefined, answer: (given: never) => object) =>
    server.registerPrompt(
      name,
      { description: name, ...(argsSchema ? { argsSchema } : {}) } as never,
      (async (given: never) => answer(given)) as never,
    )
  add('test_simple_prompt', undefined, () => user(text('This is a simple prompt for testing.')))
  add(
    'test_prompt_with_arguments',
    z.object({
      arg1: completable(z.string(), (begun) =>
        ['paris', 'park', 'party'].filter((one) => one.startsWith(begun)),
      ),
      arg2: z.string(),
    }),
    ({ arg1, arg2 }: { arg1: string; arg2: string }) =>
      user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  )
  add(
    'test_prompt_with_embedded_resource',
    z.object({ resourceUri: z.string() }),
    ({ resourceUri }: { resourceUri: string }) =>
      user(
        resource(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
        text('Please process the embedded resource above.'),
      ),
  )
  add('test_prompt_with_image', undefined, () => user(image, text('Please analyze the image above.')))
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first' }, (async ({
    mcpReq,
  }: {
    mcpReq: Context
  }) => {
    const told = acceptedContent(mcpReq.inputResponses, 'user_context')
    if (told) return user(text(`With ${JSON.stringify(told)}.`))
    const user_context = inputRequired.elicit({
      message: 'What context should the prompt use?',
      requestedSchema: asking('context'),
    })
    return inputRequired({ inputRequests: { user_context } })
  }) as never)
}
