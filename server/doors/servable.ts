import { PAGES } from '../../model/pages.ts'
import { RESERVED } from '../../model/reserved-words.ts'
import { type AnyOperation, answersBytes } from '../operation.ts'
import { namesInPath } from './input.ts'
import { webPathOf } from './web.ts'

/** Below `/v1` these are answered by doors of their own. */
const OTHER_DOORS = ['mcp', 'openapi.json']

/**
 * Asserts that each operation of the list can be served where it says, before a door opens: a route that another one
 * takes, or that nothing leads to, is found at the start and not by whoever calls it.
 * @throws where one cannot, with what to change
 */
export function assertServable(operations: readonly AnyOperation[]): void {
  const taken = new Map<string, string>()
  const names = new Set(operations.map(({ name }) => name))
  const byTool = Map.groupBy(operations, ({ sharedTool }) => sharedTool?.name)
  for (const operation of operations) {
    const { name } = operation
    const wrong =
      faultOfPath(operation) ??
      faultOfParameters(operation) ??
      faultOfRecord(operation) ??
      faultOfBytes(operation) ??
      faultOfAnswer(operation) ??
      faultOfSharedTool(operation, byTool, names) ??
      routesOf(operation)
        .map(
          (route) =>
            taken.get(route) && `${route} is ${taken.get(route)} already: choose another path or name`,
        )
        .find(Boolean)
    if (wrong) throw new Error(`The operation ${name} cannot be served: ${wrong}.`)
    for (const route of routesOf(operation)) taken.set(route, name)
  }
}

/** Parameters by their place: what they are called makes no other route. */
function routesOf(operation: AnyOperation): string[] {
  const { by, method, path } = operation
  const all =
    by === 'credential' ? [`${method} ${path}`, `POST ${webPathOf(operation)}`] : [`${method} ${path}`]
  return all.map((route) => route.replace(/\{\w+\}/g, '{}'))
}

function faultOfPath({ by, name, method, path }: AnyOperation): string | null {
  const [, first = '', second = ''] = path.split('/')
  if (by === 'guest')
    return path === `/guest/${name}` ? null : `${path} is not /guest/${name}: leave the path out`
  if (by === 'credential') {
    if (first !== 'v1') return `${path} is not below /v1, where programs call: begin it with /v1/`
    return OTHER_DOORS.includes(second)
      ? `${path} is another door's: choose another word than ${second}`
      : null
  }
  if (path === `/web/${name}`) return null
  if (path === '/web' || first === 'web') return `${path} is not /web/${name}: leave the path out`
  const pages = Object.values(PAGES).map((page) => page.split('/')[1])
  if (RESERVED.has(first) && !pages.includes(first))
    return `/${first} is reserved: put it below a page of the app`
  if (!pages.includes(first)) return `${path} is below no page of the app: leave the path out`
  const isPage = Object.values<string>(PAGES).includes(path)
  return method === 'GET' && isPage ? `${path} is a page of the app: choose another path` : null
}

/** Bytes come once: a call that takes them is not done anew, and one that answers them can be made again by a link. */
function faultOfBytes(operation: AnyOperation): string | null {
  const { by, method, writes, bodyIs, takes, input, answers } = operation
  // Guests are given the bytes themselves, and no link.
  const isForGuest = by === 'guest' && answers === 'stream'
  if (answersBytes(operation) && !isForGuest && (by !== 'credential' || method !== 'GET'))
    return 'it answers bytes, which a link asks for again: make it a GET by credential'
  if (!takes.types) return null
  if (by !== 'credential' || method !== 'PUT' || writes !== 'own')
    return "it takes bytes, which come once: make it a PUT by credential, whose writes are 'own'"
  return bodyIs && bodyIs in input.shape
    ? null
    : 'it takes bytes, and does not say which input they are: name it as bodyIs'
}

/** Other sites lead browsers to what answers with a redirect: no session alone may be enough for it. */
function faultOfAnswer({ by, method, answers, input }: AnyOperation): string | null {
  const isRedirect = answers === 'redirect'
  if (isRedirect && (by !== 'anybody' || method !== 'GET' || !('query' in input.shape)))
    return 'it answers with a redirect, which other sites can lead to: make it a GET by anybody, with the input query'
  if (by === 'credential' || isRedirect) return null
  return method === 'POST'
    ? null
    : `a page of ours calls it, and sends JSON: make it a POST, and not a ${method}`
}

/** The page of a record knows its id, and asks for the rest. */
function faultOfRecord({ on, by, method, input }: AnyOperation): string | null {
  if (on === undefined) return null
  if (by !== 'credential' || method === 'GET')
    return `it is on a ${on.kind}, whose page offers what changes one: make it no reading, by 'credential'`
  return 'id' in input.shape
    ? null
    : `it is on a ${on.kind}, and its input has no id: add it to the path and the input`
}

/** An agent that was allowed a tool was allowed what it says of itself: none may read here and write there. */
function faultOfSharedTool(
  { name, method, sharedTool, input }: AnyOperation,
  byTool: ReadonlyMap<string | undefined, readonly AnyOperation[]>,
  names: ReadonlySet<string>,
): string | null {
  if (!sharedTool) return null
  if (names.has(sharedTool.name))
    return `its tool ${sharedTool.name} is an operation: choose another name for that`
  const takesId = 'id' in input.shape
  const other = byTool
    .get(sharedTool.name)!
    .find(
      (one) =>
        one.name !== name &&
        (one.method !== method ||
          'id' in one.input.shape !== takesId ||
          one.sharedTool!.kind === sharedTool.kind),
    )
  return other
    ? `${other.name} is of another form, or of the same kind, and has its tool ${sharedTool.name}: give it one of its own`
    : null
}

function faultOfParameters({ path, input }: AnyOperation): string | null {
  const names = namesInPath(path)
  const missing = names.find((name) => !(name in input.shape))
  if (missing) return `its path has {${missing}}, which its input does not: add it to the input`
  const optional = names.find((name) => input.shape[name].safeParse(undefined).success)
  if (optional) return `its path has {${optional}}, which its input leaves open: make it required`
  return names.length === new Set(names).size ? null : 'its path has a name twice: name each parameter once'
}
