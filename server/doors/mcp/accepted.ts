import type { Answered } from './exchange.ts'

/*
 * The specification has clients accept both JSON and an event stream. Proxies and simple clients send one of them, or
 * any type, or none, and a refusal would tell them nothing: so an answer is given in the form that the client takes.
 */

export const BOTH_FORMS = 'application/json, text/event-stream'

const STREAM = 'text/event-stream'

/** @param accept the header of the request */
export function inAcceptedForm(answer: Answered, accept = ''): Answered {
  const takesStream = accept.includes(STREAM)
  const takesJson = /\bapplication\/(json|\*)|\*\/\*/.test(accept) || !takesStream
  const type = answer.headers['content-type'] ?? ''
  if (typeof answer.body !== 'string' || (takesStream && takesJson)) return answer
  if (type.startsWith(STREAM) && !takesStream)
    return withBody(answer, 'application/json', dataOf(answer.body))
  if (type.startsWith('application/json') && !takesJson && answer.status === 200)
    return withBody(answer, STREAM, `event: message\ndata: ${answer.body}\n\n`)
  return answer
}

const withBody = (answer: Answered, type: string, body: string): Answered => ({
  ...answer,
  headers: { ...answer.headers, 'content-type': type },
  body,
})

/** The message of the last event: the answer comes behind whatever was sent before it. */
function dataOf(stream: string): string {
  const events = stream.split(/\r?\n\r?\n/).flatMap((event) => {
    const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'))
    return lines.length > 0 ? [lines.map((line) => line.slice(5).trim()).join('\n')] : []
  })
  return events.at(-1) ?? ''
}
