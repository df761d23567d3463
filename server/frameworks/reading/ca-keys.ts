import { createHash } from 'node:crypto'
import { quoted } from './faults.ts'
import type { LeftOut } from './left-out.ts'
import { LIMITS } from './limits.ts'
import type { Item, Shape } from './shape.ts'

/*
 * The keys of the nodes of a CISO Assistant framework. A node is identified by its URN. Its `ref_id` may be absent, and
 * nodes below different parents may share one. So the key is the `ref_id` where no other node has it, and otherwise the
 * part of the URN behind the prefix that all nodes share: 1.1:1 of urn:example:risk:req_node:rules:1.1:1.
 */

export interface Node {
  readonly item: Item
  readonly urn: string
  readonly parent: string | undefined
  readonly ref: string | undefined
}

export interface NodeKey {
  readonly key: string
  /** The key that earlier versions of this service gave the node, where that was another one. */
  readonly formerKey?: string
}

/** The keys of nodes by their URNs. */
export function keysOf(nodes: readonly Node[], shape: Shape, leftOut: LeftOut): ReadonlyMap<string, NodeKey> {
  const first = new Map<string, Node>()
  for (const node of nodes) {
    if (!first.has(node.urn)) first.set(node.urn, node)
    else
      shape.fault(
        [...node.item.path, 'urn'],
        `is ${quoted(node.urn)}, as another node’s: give each a URN of its own`,
      )
  }
  const counts = new Map<string, number>()
  for (const { ref } of nodes) if (ref !== undefined) counts.set(ref, (counts.get(ref) ?? 0) + 1)
  const isUnique = ({ ref }: Node) => ref !== undefined && counts.get(ref) === 1
  const prefix = sharedPrefix([...first.keys()])
  const taken = new Set(nodes.filter(isUnique).map(({ ref }) => ref!))
  const keys = new Map<string, NodeKey>()
  for (const [urn, node] of first) {
    if (isUnique(node)) {
      keys.set(urn, { key: node.ref! })
      continue
    }
    const key = fitted(partOf(urn, prefix.length, taken), node, shape, leftOut)
    taken.add(key)
    const end = normalized(urn.slice(urn.lastIndexOf(':') + 1))
    keys.set(urn, end === key ? { key } : { key, formerKey: end })
  }
  return keys
}

/** The longest prefix of all URNs that ends with a colon and leaves a part of each. */
function sharedPrefix(urns: readonly string[]): string {
  const [first = '', ...others] = urns
  let length = first.lastIndexOf(':') + 1
  for (const urn of others) {
    length = Math.min(length, urn.lastIndexOf(':') + 1)
    while (length > 0 && urn.slice(0, length) !== first.slice(0, length))
      length = first.lastIndexOf(':', length - 2) + 1
  }
  return first.slice(0, length)
}

/** The part of a URN from `start` on, with as many segments before it as it takes to differ from all that are taken. */
function partOf(urn: string, start: number, taken: ReadonlySet<string>): string {
  let from = start
  while (from > 0 && taken.has(normalized(urn.slice(from)))) from = urn.lastIndexOf(':', from - 2) + 1
  return normalized(urn.slice(from))
}

const normalized = (text: string): string => text.normalize('NFC').trim()

/** A key that is too long keeps its beginning; a hash of the whole keeps it unique, and the same in the next file. */
function fitted(key: string, { item }: Node, shape: Shape, leftOut: LeftOut): string {
  if (key.length <= LIMITS.requirementKey) return key
  leftOut.shortened(shape.placeOf([...item.path, 'urn']), 'urn', key.length, LIMITS.requirementKey)
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 8)
  return `${key.slice(0, LIMITS.requirementKey - 9).toWellFormed()}~${hash}`
}
