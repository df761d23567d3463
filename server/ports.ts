import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type Config, ConfigInvalid } from './config.ts'

/*
 * Whether this machine lets the service listen where its settings say: asked before a database is touched, since a
 * start that fails at its last step has migrated and made keys by then.
 */

type PortSetting = 'PORT' | 'METRICS_PORT'

/**
 * Asserts that the service can listen, by listening for a moment.
 * @returns the settings, with a free port in place of 0: our own address stands in what we say and sign
 * @throws {ConfigInvalid} naming HOST, PORT, METRICS_HOST or METRICS_PORT
 */
export async function withUsablePorts(config: Config): Promise<Config> {
  const port = await freePort(config, 'PORT', config.port)
  if (config.metricsPort !== 0)
    await freePort(config, 'METRICS_PORT', config.metricsPort).catch((error) => {
      if (config.metricsPortGiven || !isTaken(error.cause)) throw error
    })
  const publicUrl = config.port === 0 ? config.publicUrl.replace(/:0$/, `:${port}`) : config.publicUrl
  return { ...config, port, publicUrl }
}

/**
 * Asserts no more than that the hosts are this machine's: the ports may be those of the service that runs.
 * @throws {ConfigInvalid} naming HOST or METRICS_HOST
 */
export async function refuseUnusableHosts(config: Config): Promise<void> {
  await freePort(config, 'PORT', 0)
  if (config.metricsPort !== 0) await freePort(config, 'METRICS_PORT', 0)
}

/** What came of listening, as the setting to mend; what is no matter of settings comes back as it is. */
export function portFault(error: unknown, setting: PortSetting, config: Config): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  const [host, port] =
    setting === 'PORT' ? [config.host, config.port] : [config.metricsHost, config.metricsPort]
  const hostSetting = setting === 'PORT' ? 'HOST' : 'METRICS_HOST'
  const elsewhere = setting === 'PORT' ? 'another' : 'another, or to 0 for no metrics'
  if (code === 'EADDRINUSE')
    return new ConfigInvalid(
      `Port ${port} on ${host} is taken: stop what listens there, or set ${setting} to ${elsewhere}.`,
      { cause: error },
    )
  if (code === 'EACCES')
    return new ConfigInvalid(
      `Port ${port} may not be opened by this user: set ${setting} to one above 1023.`,
      { cause: error },
    )
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return error
  return new ConfigInvalid(
    `${hostSetting}=${host} is not valid: give an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them (${code}).`,
    { cause: error },
  )
}

export const isTaken = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE'

async function freePort(config: Config, setting: PortSetting, port: number): Promise<number> {
  const probe = createServer()
  try {
    probe.listen(port, setting === 'PORT' ? config.host : config.metricsHost)
    await once(probe, 'listening')
    return (probe.address() as AddressInfo).port
  } catch (error) {
    throw portFault(error, setting, config)
  } finally {
    if (probe.listening) await new Promise((resolve) => probe.close(resolve))
  }
}
