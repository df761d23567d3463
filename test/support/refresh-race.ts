import { expect } from 'vitest'
import { answerOf, type Connected, type OauthTest, refresh, type TokenAnswer } from './oauth.ts'

/** Uses a refresh token at the same moment at several processes; one chain lives on. */
export async function raceForSuccessor(
  one: OauthTest,
  bases: readonly string[],
  { client, refresh_token: used, appId }: Connected,
  uses: number,
): Promise<void> {
  const askOnce = (base: string, token: string) =>
    answerOf<TokenAnswer>(
      fetch(`${base}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          client_id: client.id,
          grant_type: 'refresh_token',
          refresh_token: token,
        }),
      }),
    )
  // A crowd that finds no connection free is told to come again, and does.
  const ask = async (base: string, token: string) => {
    for (;;) {
      const answer = await askOnce(base, token)
      if (answer.status !== 503) return answer
    }
  }
  await one.stopClock()
  const answers = await Promise.all(
    Array.from({ length: uses }, (_, index) => ask(bases[index % bases.length]!, used)),
  )
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  const [successor, ...others] = new Set(answers.map(({ body }) => body.refresh_token))
  expect(others).toEqual([])
  expect(await livingOf(one, appId)).toBe(1)

  // Somebody goes on with it; whoever still holds the first comes to the same place.
  const next = await refresh(one, client, successor!)
  const late = await ask(bases.at(-1)!, used)
  expect(late.body.refresh_token).toBe(next.body.refresh_token)
  expect(await livingOf(one, appId)).toBe(1)
  await one.startClock()
}

async function livingOf({ administrator }: OauthTest, appId: string): Promise<number> {
  const { rows } = await administrator.query(
    "select count(*)::int as n from oauth_tokens where app_id = $1 and kind = 'RefreshToken' and consumed_at is null",
    [appId],
  )
  return rows[0].n
}
