import { DATABASE } from './cluster.ts'

/** @param host a folder with a socket, or 127.0.0.1 */
export function urlOf(host: string, port: number, user: string, password: string): string {
  return `postgresql://${user}:${password}@/${DATABASE}?host=${encodeURIComponent(host)}&port=${port}`
}
