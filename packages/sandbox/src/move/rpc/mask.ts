import type { GrpcTypes } from '@mysten/sui/grpc'
import { invalid } from '../errors.ts'

/** A message type of the generated codecs, with what a mask needs of it. */
export type MessageType = (typeof GrpcTypes.LedgerService.methods)[number]['I']
type Field = MessageType['fields'][number]

/** What is wanted of a message: all of it, or these members. */
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

/** A mask's part for a member; undefined when nothing of it is wanted. */
export function submask(mask: Mask, name: string): Mask | undefined {
  return mask === 'all' ? 'all' : mask.get(name)
}

/** The message with what the mask wants, and nothing else. */
export function project<T extends object>(type: MessageType, message: T, mask: Mask): T {
  if (mask === 'all') return message
  const from = message as Record<string, unknown>
  const to = type.create() as Record<string, unknown>
  for (const field of type.fields) {
    const wanted = mask.get(field.name)
    if (wanted === undefined) continue
    if (field.oneof === undefined) to[field.localName] = part(field, from[field.localName], wanted)
    else copyOneof(field, from, to, wanted)
  }
  return to as T
}

function segments(type: MessageType, path: string): string[] {
  const names = path.split('.')
  let at: MessageType | undefined = type
  for (const name of names) {
    const field: Field | undefined = at?.fields.find((each) => each.name === name)
    if (field === undefined) throw invalid(`invalid read_mask path: ${path}`)
    at = field.kind === 'message' ? field.T() : undefined
  }
  return names
}

function add(tree: Tree, [first, ...rest]: readonly string[]): void {
  const known = tree.get(first!)
  if (known === 'all') return
  if (rest.length === 0) return void tree.set(first!, 'all')
  const below: Tree = known ?? new Map()
  add(below, rest)
  tree.set(first!, below)
}

function part(field: Field, value: unknown, mask: Mask): unknown {
  if (field.kind !== 'message' || value === undefined || mask === 'all') return value
  const type = field.T()
  return Array.isArray(value) ? value.map((item: object) => project(type, item, mask)) : project(type, value as object, mask)
}

function copyOneof(field: Field, from: Record<string, unknown>, to: Record<string, unknown>, mask: Mask): void {
  const choice = from[field.oneof!] as { oneofKind: string | undefined } & Record<string, unknown>
  if (choice.oneofKind !== field.localName) return
  to[field.oneof!] = { oneofKind: field.localName, [field.localName]: part(field, choice[field.localName], mask) }
}
