/**
 * The machine's hosts file. c-ares' queries pass it by, and operators rely on it.
 *
 * Read synchronously, on purpose: a few hundred bytes of `stat` every two seconds cost microseconds, while the
 * asynchronous calls would queue in the thread pool behind whatever fills it.
 */
import { readFileSync, statSync } from 'node:fs'
import { type Ip, parseIp } from './network.ts'

const systemHostsFile =
  process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'
const lookEveryMs = 2_000

export interface HostsFile {
  /** Every address the file gives the name (in ASCII, lower case); empty when it does not name it. */
  addressesOf(name: string): readonly Ip[]
}

export function openHostsFile(path: string = systemHostsFile, lookEvery = lookEveryMs): HostsFile {
  let names = new Map<string, Ip[]>()
  let stamp = ''
  let lookedAt = Number.NEGATIVE_INFINITY

  function look(): void {
    if (performance.now() - lookedAt < lookEvery) return
    lookedAt = performance.now()
    try {
      const { mtimeMs, size, ino } = statSync(path)
      const now = `${mtimeMs} ${size} ${ino}`
      if (now === stamp) return
      names = parseHosts(readFileSync(path, 'utf8'))
      stamp = now
    } catch {
      // No hosts file is a fair state of a machine (a container built from nothing has none).
      names = new Map()
      stamp = ''
    }
  }

  return {
    addressesOf(name) {
      look()
      return names.get(name) ?? []
    },
  }
}

function parseHosts(text: string): Map<string, Ip[]> {
  const names = new Map<string, Ip[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...named] = line.replace(/#.*/, '').trim().split(/\s+/)
    const ip = parseIp(address)
    if (!ip) continue
    for (const name of named) {
      const key = name.toLowerCase().replace(/\.$/, '')
      names.set(key, [...(names.get(key) ?? []), ip])
    }
  }
  return names
}
