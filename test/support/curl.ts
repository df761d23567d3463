import type { Door, Reply } from './door.ts'

/**
 * Sends what a page shows as a curl, word by word as a shell would read it.
 * @throws where curl would be asked for what this does not know
 */
export function runCurl(door: Door, command: string): Promise<Reply> {
  const [program, ...words] = shellWords(command)
  if (program !== 'curl') throw new Error(`no curl: ${command}`)
  const headers: Record<string, string> = {}
  let address: URL | undefined
  let method: string | undefined
  let data: string | undefined
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-X') method = words.shift()
    else if (word === '-d') data = words.shift()
    else if (word === '-H') {
      const [, name, value] = /^([\w-]+): *(.*)$/s.exec(words.shift() ?? '') ?? []
      headers[name!.toLowerCase()] = value!
    } else if (/^-[sS]+$/.test(word)) continue
    else if (word.startsWith('-')) throw new Error(`curl ${word} is not known here`)
    else address = new URL(word)
  }
  const { pathname, search } = address!
  return door.send(null, method ?? (data === undefined ? 'GET' : 'POST'), pathname + search, {
    headers,
    ...(data === undefined ? {} : { body: data }),
  })
}

function shellWords(command: string): string[] {
  const parts = command.trim().matchAll(/((?:'[^']*'|"(?:[^"\\]|\\.)*"|\\[^\n]|[^\s'"\\])+)|\\\n|\s+/g)
  return [...parts].flatMap(([, word]) => (word === undefined ? [] : [unquoted(word)]))
}

const unquoted = (word: string): string =>
  word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs, (_all, single, double, one) =>
    single === undefined ? (one ?? double.replace(/\\(["\\$`])/g, '$1')) : single,
  )
