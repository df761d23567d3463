import { pascal } from '../../../model/calls.ts'
import type { Kind } from '../../../model/kind.ts'
import { everyKind } from '../../../model/kinds/index.ts'
import { ownerOf, principalId } from '../../../model/roles.ts'
import { SIGNAL_TYPES, type SignalDescription } from '../../../model/signal-types.ts'
import type { OpenApi } from '../openapi.ts'
import { jsonBlock } from './code-block.ts'
import { fieldTable } from './fields.ts'
import { type Html, html } from './html.ts'
import { opened } from './subject.ts'
import { code } from './table.ts'
import { example } from './worked-example.ts'

/** Which kind raises a type, by a change of a record. */
const RAISED_BY: ReadonlyMap<string, Kind> = new Map(
  everyKind.flatMap((kind) => kind.signals.map((event) => [`${kind.name}.${event}`, kind] as const)),
)

/** Each type: when it is sent, what its `data` holds, and an example; those first that this version raises. */
export function signalTypes(document: OpenApi): Html {
  const all: [string, SignalDescription][] = Object.entries(SIGNAL_TYPES)
  const [raised, others] = [true, false].map((is) => all.filter(([type]) => RAISED_BY.has(type) === is))
  return html`
${raised!.map(([type, { description }]) => signalType(document, type, description))}
<h3 id="webhook.test"><code>webhook.test</code></h3>
<p>Somebody sent a test. It needs no subscription; <code>data.message</code> is a sentence for people.</p>
${jsonBlock('Body of webhook.test', JSON.parse(example.body))}
<h3 id="not-raised">Types that nothing raises yet</h3>
<p>They can be subscribed to already, and this version sends none of them.</p>
<ul class="types">${others!.map(([type, { description, feature }]) => html`<li id="${type}">${code(type)} ${description}${feature && ' Only in organizations with supplier risk management.'}</li>`)}</ul>`
}

function signalType(document: OpenApi, type: string, description: string): Html {
  const { schema, example: body } = document.webhooks[type]!.post.requestBody.content['application/json']
  const { record: _record, ...fields } = opened(document, schema).properties?.data?.properties ?? {}
  const kind = RAISED_BY.get(type)!
  const owner = ownerOf(kind)
  return html`
<h3 id="${type}"><code>${type}</code></h3>
<p>${description}</p>
<p><code>data.record</code> is the ${kind.noun.one} ${type.endsWith('.deleted') ? 'as it was' : 'after the change'}, as <a href="/docs/${kind.path}#${pascal(kind.name)}">the calls</a> answer it.${type.endsWith('.updated') && html` <code>data.changes</code> has each field that changed with its values before and after, <code>{ "from": …, "to": … }</code>${owner && html`; an owner stands there once, as <code>${principalId(owner)}</code>`}.`}</p>
${fieldTable(type, fields, null)}
${jsonBlock(`Body of ${type}`, body)}`
}
