import type pg from 'pg'
import { Burst } from '../server/database/burst.ts'
import type { Query } from '../server/database/connect.ts'
import type { Service } from '../server/service.ts'

/**
 * The statements that the service sends while it does something, in order. Yardsticks are driven with these
 * very statements, so that they stay the product's own when it changes.
 */
export async function overhear({ database }: Service, work: () => Promise<unknown>): Promise<Query[]> {
  const heard: Query[] = []
  const pools = [database.gate, database.tenant, database.engine]
  const listen = (client: pg.PoolClient) => {
    const speaking = client as unknown as { query(said: Query | Burst | string, ...more: unknown[]): unknown }
    const { query } = speaking
    speaking.query = (said, ...more) => {
      if (said instanceof Burst) heard.push(...said.queries)
      else if (typeof said === 'object' && 'text' in said) heard.push({ ...said, values: said.values ?? [] })
      return query.call(client, said, ...more)
    }
    const restore = () => {
      speaking.query = query
    }
    restores.push(restore)
  }
  const restores: (() => void)[] = []
  for (const pool of pools) pool.on('acquire', listen)
  try {
    await work()
  } finally {
    for (const pool of pools) pool.off('acquire', listen)
    for (const restore of restores.reverse()) restore()
  }
  return heard
}

/** The one statement of them that holds this text. */
export function heardWith(heard: readonly Query[], text: string): Query {
  const [found, another] = heard.filter((query) => query.text.includes(text))
  if (!found || another) throw new Error(`not exactly one statement with "${text}" was overheard`)
  return found
}
