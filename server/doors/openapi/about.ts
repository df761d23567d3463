import { everyKind } from '../../../model/kinds/index.ts'

/* What the document says of itself. */

export const ABOUT = `Compliance records of one organization, and the webhooks that tell of their changes.

Every call sends \`Authorization: Bearer …\` with an API key, or with an access token that a program got through
OAuth. Either belongs to one organization, and acts with its scopes and the present role of the person who created
or approved it. Errors are problem objects (RFC 9457) whose \`code\` is for programs and whose \`detail\` says what to
do.

Every answer carries \`Request-Id\`, and to a valid credential \`RateLimit\` and \`RateLimit-Policy\`. Answers may get
new fields, and choices of them new words, at any time: a client passes over what it does not know.
What is sent has no more than is named here; an unknown field or parameter is refused. A time that is sent may be a
day alone, such as 2026-05-17: its start in UTC, or its end where it is the end of a span that a list is asked for.`

export const SECURITY = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key, `comply_` and 32 characters, or an OAuth access token. It belongs to one organization.',
  },
}

const TAGS: Readonly<Record<string, string>> = {
  me: 'What the credential of a call is and may do.',
  organization: 'The organization that the credential belongs to.',
  users: 'Who can sign in to the organization.',
  search: 'Records of every kind, by what they are called and what is written in them.',
  'webhook-endpoints': 'Where signals are sent, and the signals that arrive there.',
  'webhook-deliveries': 'What was sent to the endpoints, attempt by attempt.',
  'ownership-principals': 'Who may own a record: users and the directory together.',
}

/** What the calls of a subject are about. */
export function aboutTag(name: string): string {
  const kind = everyKind.find(({ path }) => path === name)
  return TAGS[name] ?? kind?.about ?? `The ${name.replaceAll('-', ' ')} of the organization.`
}
