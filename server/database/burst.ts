import type { Writable } from 'node:stream'
import pg from 'pg'
import type { Query, Row } from './connect.ts'
import { parameterOf } from './parameter.ts'
import { template } from './template.ts'

/**
 * Statements that leave together and are answered together.
 *
 * `pg` ends each statement of a pipeline with a Sync of its own, at which PostgreSQL sends what it has: a burst of five
 * comes back as five packets, for which our event loop wakes five times, and the processor changes hands as often. That
 * costs more than most of the statements. Here one Sync ends all of them. And PostgreSQL is asked only once per
 * connection what columns a prepared statement has: while it is prepared, they stay.
 *
 * Where a statement fails, PostgreSQL skips those behind it, a commit as well. They fail with the same error.
 *
 * It is a query of `pg` by descent alone, since a pipelined client takes no other. That sends and times it as one, and
 * gives it what is answered.
 */
export class Burst extends pg.Query {
  /** Of the statement that is being answered: `pg` notes them once it is parsed. */
  declare name: string | undefined
  declare text: string
  /** Set by `pg`, which ends its timeout with it. */
  declare callback?: (error?: unknown) => void
  /** Given the client's types by `pg`. */
  declare _result: { readonly _types: TypeParsers }
  /** Those not answered yet, in their order. */
  #waiting: Statement[] = []

  constructor() {
    super('')
  }

  get queries(): readonly Query[] {
    return this.#waiting.map(({ query }) => query)
  }

  /** To be called before it is submitted. */
  add(query: Query): Promise<Row[]> {
    const { promise, resolve, reject } = Promise.withResolvers<Row[]>()
    const values = query.values.map(parameterOf)
    this.#waiting.push({ query, values, columns: undefined, rows: [], resolve, reject })
    return promise
  }

  override submit = (to: unknown): null => {
    const connection = to as Connection
    const columns = columnsOf(connection)
    connection.stream.cork()
    for (const statement of this.#waiting) {
      const { name, text } = statement.query
      if (name === undefined || !isPrepared(connection, name)) {
        connection.parse({ name, text })
        if (name !== undefined) connection.submittedNamedStatements[name] = text
      }
      connection.bind({ statement: name, values: statement.values })
      statement.columns = name === undefined ? undefined : columns.get(name)
      if (statement.columns === undefined) connection.describe({ type: 'P' })
      connection.execute()
    }
    connection.sync()
    connection.stream.uncork()
    this.#turnToNext()
    return null
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    const types = this._result._types
    this.#waiting[0]!.columns = {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text')),
      none: template(fields.map(({ name }) => name)),
    }
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const { columns, rows } = this.#waiting[0]!
    const { names, parsers, none } = columns!
    const row: Row = { ...none }
    fields.forEach((value, place) => {
      if (value !== null) row[names[place]!] = parsers[place]!(value)
    })
    rows.push(row)
  }

  handleCommandComplete(_: unknown, connection: Connection): void {
    const { query, columns = NO_COLUMNS, rows, resolve } = this.#waiting.shift()!
    if (query.name !== undefined) columnsOf(connection).set(query.name, columns)
    this.#turnToNext()
    resolve(rows)
  }

  handleError(error: unknown, connection: Connection): void {
    for (const { query, reject } of this.#waiting.splice(0)) {
      // Its Parse was skipped, or PostgreSQL refused it.
      if (query.name !== undefined) delete connection.submittedNamedStatements[query.name]
      reject(error)
    }
    this.callback?.(error)
  }

  handleReadyForQuery(): void {
    this.callback?.()
  }

  #turnToNext(): void {
    const next = this.#waiting[0]?.query
    this.name = next?.name
    this.text = next?.text ?? ''
  }
}

interface Statement {
  readonly query: Query
  readonly values: readonly unknown[]
  /** Undefined until they are known. */
  columns: Columns | undefined
  readonly rows: Row[]
  resolve(rows: Row[]): void
  reject(error: unknown): void
}

interface Columns {
  readonly names: readonly string[]
  readonly parsers: readonly ((text: string) => unknown)[]
  /** A row of nothing: to copy it is quicker than to make one column by column. */
  readonly none: Row
}

const NO_COLUMNS: Columns = { names: [], parsers: [], none: {} }

interface Field {
  readonly name: string
  readonly dataTypeID: number
}

interface TypeParsers {
  getTypeParser(oid: number, format: 'text'): (text: string) => unknown
}

/** What `pg` has of a connection, and its types do not tell. */
interface Connection {
  readonly stream: Writable
  readonly parsedStatements: Readonly<Record<string, string>>
  readonly submittedNamedStatements: Record<string, string>
  parse(statement: { name: string | undefined; text: string }): void
  bind(portal: { statement: string | undefined; values: readonly unknown[] }): void
  describe(portal: { type: 'P' }): void
  execute(): void
  sync(): void
}

const isPrepared = ({ parsedStatements, submittedNamedStatements }: Connection, name: string): boolean =>
  name in parsedStatements || name in submittedNamedStatements

/** Of each connection, the columns of what is prepared there, by its name. */
const described = new WeakMap<Connection, Map<string, Columns>>()

function columnsOf(connection: Connection): Map<string, Columns> {
  const known = described.get(connection) ?? new Map<string, Columns>()
  described.set(connection, known)
  return known
}
