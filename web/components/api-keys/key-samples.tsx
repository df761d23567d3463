import { newKey } from '../../copy/api-keys.ts'
import { CodeSample } from '../code-sample.tsx'

const words = newKey.shown

/** The first call with a new key, ready to run: by what it may do. */
export function KeySamples({ secret, scopes }: { secret: string; scopes: readonly string[] }) {
  const { origin } = location
  const bearer = `-H "Authorization: Bearer ${secret}"`
  if (!scopes.includes('read:webhooks'))
    return <CodeSample label={words.curl}>{`curl ${origin}/v1/me \\\n  ${bearer}`}</CodeSample>
  return (
    <>
      <CodeSample label={words.endpoints}>{`curl ${origin}/v1/webhook-endpoints \\\n  ${bearer}`}</CodeSample>
      <CodeSample label={words.typescript}>{listing(origin)}</CodeSample>
    </>
  )
}

const listing = (origin: string): string => `const answer = await fetch('${origin}/v1/webhook-endpoints', {
  headers: { authorization: \`Bearer \${process.env.PLUMBLINE_KEY}\` },
})
if (!answer.ok) throw new Error((await answer.json()).detail)
const { data } = await answer.json()
for (const { address, enabled } of data) console.log(enabled ? 'on ' : 'off', address)`
