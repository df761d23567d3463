import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely'
import type { Query } from './connect.ts'

/** Kysely composes the statements whose text depends on what is asked; it never talks to the database. */
const composer = new Kysely<Record<string, never>>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** The query of a composed statement. It gets no name: only statements that never change are prepared. */
export function build(statement: RawBuilder<unknown>): Query {
  const { sql, parameters } = statement.compile(composer)
  return { text: sql, values: [...parameters] }
}
