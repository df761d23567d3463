import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { chooseAccount } from '../../server/database/embedded/account.ts'
import { DATABASE, ensureCluster, LOGIN } from '../../server/database/embedded/cluster.ts'
import { clearLeftovers } from '../../server/database/embedded/leftovers.ts'
import { findPrograms } from '../../server/database/embedded/programs.ts'
import { type RunningServer, startServer } from '../../server/database/embedded/server.ts'
import { freePort } from './free-port.ts'
import { startTcpRelay, type TcpRelay } from './tcp-relay.ts'
import { until } from './until.ts'

/**
 * A primary with a synchronous standby, two PostgreSQL of this machine, behind an address that leads to the primary. A
 * commit is answered when both have it on disk.
 */
export interface DatabasePair {
  /** The service's login, by the relay. */
  readonly url: string
  readonly relay: TcpRelay
  /** The superuser on who is the primary now, past the relay. */
  administratorUrl(): string
  readonly primaryPort: number
  readonly standbyPort: number
  /**
   * Makes the standby the primary, and the address lead there.
   * @param how the old one is `killed`, or `cut` off from everybody and stopped later
   */
  promote(how: 'killed' | 'cut'): Promise<void>
  /** Copies the primary to where the other one was, and waits until it follows. */
  addStandby(): Promise<void>
  close(): Promise<void>
}

interface Node {
  readonly home: string
  readonly cluster: string
  readonly port: number
  server: RunningServer | null
}

const CONFIGURATION = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  wal_level: 'replica',
  wal_keep_size: '512MB',
  max_wal_size: '256MB',
  wal_receiver_status_interval: '1s',
  // What is killed here is a process and not the machine: what it gave to the kernel stays.
  fsync: 'off',
}

export async function openDatabasePair(): Promise<DatabasePair> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-pair-'))
  chmodSync(directory, 0o711)
  const programs = findPrograms()
  const nodeIn = async (name: string): Promise<Node> => {
    const home = join(directory, name)
    mkdirSync(home, { mode: 0o711 })
    return { home, cluster: join(home, 'cluster'), port: await freePort(), server: null }
  }
  let [primary, standby] = [await nodeIn('one'), await nodeIn('two')]
  const account = chooseAccount(primary.home, programs)
  const { passwords } = await ensureCluster(primary.home, account, programs)
  appendFileSync(join(primary.cluster, 'pg_hba.conf'), 'host replication all 127.0.0.1/32 scram-sha-256\n')
  const start = async (node: Node): Promise<void> => {
    const settings = { ...CONFIGURATION, port: String(node.port) }
    node.server = await startServer({ ...node, account, postgres: programs.postgres, settings })
  }
  const administrator = (node: Node) =>
    `postgresql://postgres:${passwords.administrator}@127.0.0.1:${node.port}/${DATABASE}`

  async function withAdministrator<T>(node: Node, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: administrator(node) })
    client.on('error', () => {})
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }

  async function addStandby(): Promise<void> {
    await clearLeftovers(standby.home).catch(() => {})
    rmSync(standby.cluster, { recursive: true, force: true })
    await withAdministrator(primary, async (client) => {
      await client.query("select pg_backup_start('standby', true)")
      await copy(primary.cluster, standby.cluster)
      const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
      writeFileSync(join(standby.cluster, 'backup_label'), rows[0].labelfile)
    })
    for (const name of ['postmaster.pid', 'postmaster.opts'])
      rmSync(join(standby.cluster, name), { force: true })
    writeFileSync(
      join(standby.cluster, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=postgres password=${passwords.administrator}'\n`,
    )
    writeFileSync(join(standby.cluster, 'standby.signal'), '')
    account.own(standby.cluster)
    await start(standby)
    await withAdministrator(primary, async (client) => {
      await client.query("alter system set synchronous_standby_names = '*'")
      await client.query('select pg_reload_conf()')
      await until(async () => {
        const { rows } = await client.query("select from pg_stat_replication where sync_state = 'sync'")
        return rows.length > 0
      }, 'the standby')
    })
  }

  async function promote(how: 'killed' | 'cut'): Promise<void> {
    const old = primary
    if (how === 'killed') process.kill(old.server!.pid, 'SIGKILL')
    relay.lead(null)
    relay.cut()
    await withAdministrator(standby, async (client) => {
      const { rows } = await client.query('select pg_promote(true, 60) as promoted')
      if (!rows[0].promoted) throw new Error('the standby was not promoted')
    })
    primary = standby
    standby = old
    relay.lead(primary.port)
    await clearLeftovers(old.cluster)
    await old.server!.gone
  }

  await start(primary)
  const relay = await startTcpRelay(primary.port)
  return {
    url: `postgresql://${LOGIN}:${passwords.login}@127.0.0.1:${relay.port}/${DATABASE}`,
    relay,
    administratorUrl: () => administrator(primary),
    get primaryPort() {
      return primary.port
    },
    get standbyPort() {
      return standby.port
    },
    promote,
    addStandby,
    close: async () => {
      await relay.close()
      // A primary that waits for its standby does not end by itself.
      for (const node of [primary, standby]) {
        await node.server?.stop()
      }
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** The files of a server that runs: some go while they are read, which its log makes good. */
async function copy(from: string, to: string): Promise<void> {
  mkdirSync(to, { mode: 0o700 })
  const child = spawn(
    'sh',
    ['-c', 'tar -C "$1" --exclude "./pg_wal/*" -cf - . | tar -C "$2" -xpf -', 'sh', from, to],
    {
      stdio: 'ignore',
    },
  )
  await once(child, 'exit')
  mkdirSync(join(to, 'pg_wal', 'archive_status'), { recursive: true })
  mkdirSync(join(to, 'pg_wal', 'summaries'), { recursive: true })
}
