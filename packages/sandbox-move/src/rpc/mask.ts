import type { GrpcTypes } from '@mysten/sui/grpc'
import { membersOf } from '@svc/sandbox'
import { invalid } from '../errors.ts'

/** A message type of the generated codecs, with what a mask needs of it. */
export type MessageType = (typeof GrpcTypes.LedgerService.methods)[number]['I']
type Field = MessageType['fields'][number]

/** Mask of a message: all of it, or these members. */
export type Mask = 'all' | ReadonlyMap<string, Mask>
type Tree = Map<string, Tree | 'all'>

/**
 * Reads a field mask.
 *
 * @param paths absent or empty for the default
 * @param byDefault the method's own, paths with commas between
 * @throws GrpcError `INVALID_ARGUMENT` for a path that the type has not
 */
export function readMask(type: MessageType, paths: readonly string[] | undefined, byDefault: string): Mask {
  const tree: Tree = new Map()
  for (const path of paths ?? byDefault.split(',')) {
    if (path === '*') return 'all'
    add(tree, segments(type, path))
  }
  return tree
}

/** Copies a message with the fields of a mask only. */
export function project<T extends object>(type: MessageType, message: T, mask: Mask): T {
  if (mask === 'all') return message
  const from = membersOf(message)
  const to: Record<string, unknown> = {}
  for (const field of type.fields) {
    const subtree = mask.get(field.name)
    if (subtree === undefined) continue
    if (field.oneof === undefined) to[field.localName] = part(field, from[field.localName], subtree)
    else copyOneof(field, field.oneof, from, to, subtree)
  }
  // The type's own empty message, and members that the type has.
  return Object.assign(type.create(), to) as T
}

/** Names of fields from the outside in: one at least. */
type Path = readonly [string, ...string[]]

function segments(type: MessageType, path: string): Path {
  const [first = '', ...rest] = path.split('.')
  const names: Path = [first, ...rest]
  let at: MessageType | undefined = type
  for (const name of names) {
    const field: Field | undefined = at?.fields.find((each) => each.name === name)
    if (field === undefined) throw invalid(`invalid read_mask path: ${path}`)
    at = field.kind === 'message' ? field.T() : undefined
  }
  return names
}

function add(tree: Tree, [first, second, ...rest]: Path): void {
  const branch = tree.get(first)
  if (branch === 'all') return
  if (second === undefined) return void tree.set(first, 'all')
  const below: Tree = branch ?? new Map()
  add(below, [second, ...rest])
  tree.set(first, below)
}

function part(field: Field, value: unknown, mask: Mask): unknown {
  if (field.kind !== 'message' || value === undefined || mask === 'all') return value
  const type = field.T()
  const one = (item: unknown) => project(type, membersOf(item), mask)
  return Array.isArray(value) ? value.map(one) : one(value)
}

function copyOneof(field: Field, oneof: string, from: Readonly<Record<string, unknown>>, to: Record<string, unknown>, mask: Mask): void {
  const choice = membersOf(from[oneof])
  if (choice.oneofKind !== field.localName) return
  to[oneof] = { oneofKind: field.localName, [field.localName]: part(field, choice[field.localName], mask) }
}
