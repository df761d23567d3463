import type { Door, Reply } from './door.ts'

/** A browser's side of the web app's door: it keeps the cookie and says where its page is from. */
export interface Web {
  /** The cookie as it is sent; empty where there is none. */
  cookie: string
  /** Calls a session act or an operation. */
  call(name: string, input?: unknown, headers?: Record<string, string>): Promise<Reply>
}

/** @param publicUrl the origin of its pages; by default the service's own */
export function openWeb(door: Door, publicUrl = door.service.config.publicUrl, cookie = ''): Web {
  const web: Web = {
    cookie,
    call: async (name, input = {}, headers = {}) => {
      const reply = await door.send(null, 'POST', `/web/${name}`, {
        body: input,
        headers: { origin: publicUrl, ...(web.cookie ? { cookie: web.cookie } : {}), ...headers },
      })
      const set = reply.headers['set-cookie']
      if (set) {
        const [pair = ''] = set.split(';')
        web.cookie = pair.endsWith('=') ? '' : pair
      }
      return reply
    },
  }
  return web
}
