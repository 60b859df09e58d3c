import type { SuiClientTypes } from '@mysten/sui/client'
import { isValidStructTag, isValidTransactionDigest, normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils'
import { malformedAnswer, membersOf } from '@svc/contract'
import { answer } from '@svc/kit-move'
import { badGateway } from '../codes.ts'
import type { Reading } from '../network.ts'
import { fewAtOnce } from './at-once.ts'

/**
 * Objects of one request, as the library has it (`getObjects` of the gRPC client of @mysten/sui 2.33.1). It sends further requests one after the
 * other, which would be waves.
 */
const OBJECTS_PER_REQUEST = 50
/** Most objects of a page. @see https://github.com/MystenLabs/sui-apis (state_service.proto, read 2026-11-21) */
const PAGE = 1000
/** Pages that are followed. Nobody makes a hundred thousand positions for himself; others may give them, and a node that lies lists without end. */
const PAGES = 100

/** As nodes write addresses. */
export const ADDRESS = /^0x[0-9a-f]{64}$/

/** As the library writes a version, which it makes a text of what the node has left out too. */
const VERSION = /^\d+$/

/** Content of an object, or why that is not known. */
export type Content = Uint8Array | 'missing' | 'unreadable'

/** An object of an owner. */
export interface OwnedObject {
  readonly id: string
  readonly version: string
  readonly content: Uint8Array | undefined
}

/** An object that an owner has, in the state in which a transaction left it. */
export interface HeldObject {
  readonly id: string
  readonly version: string
  /** Digest of the transaction that wrote it last, base58. */
  readonly previousTransaction: string
}

/** Reads the contents of objects by identifier, in one wave unless there are thousands. @throws 502, 503, 504 */
export async function readContents(ctx: Reading, ids: Iterable<string>): Promise<ReadonlyMap<string, Content>> {
  const chunks = chunksOf([...new Set(ids)])
  const contents = new Map<string, Content>()
  await fewAtOnce(chunks, async (objectIds) => {
    const { objects } = await answer(ctx.node.sui.getObjects({ objectIds, include: { content: true } }))
    for (const [index, id] of objectIds.entries()) contents.set(id, contentOf(objects[index], id))
  })
  return contents
}

/** Reads an object without its content; null when there is none, or no longer. @throws 502, 503, 504 */
export async function readObject(ctx: Reading, id: string): Promise<SuiClientTypes.Object | null> {
  const [object] = (await answer(ctx.node.sui.getObjects({ objectIds: [id] }))).objects
  if (isMissing(object)) return null
  if (!isReadable(object, id) || !isValidStructTag(object.type))
    throw badGateway('UPSTREAM_ERROR', `The chain's node could not read the object ${id}; try again.`, object)
  return object
}

/** Lists all objects of a type that an address owns, each once. @throws 502, 503, 504 */
export async function listOwned(ctx: Reading, owner: string, type: string): Promise<readonly OwnedObject[]> {
  const owned: OwnedObject[] = []
  const visited = new Set<string>()
  let cursor: string | null = null
  for (let pages = 0; pages < PAGES; pages++) {
    const page: SuiClientTypes.ListOwnedObjectsResponse<{ content: true }> = await answer(
      ctx.node.sui.listOwnedObjects({ owner, type, limit: PAGE, cursor, include: { content: true } }),
    )
    for (const { objectId, version, content, type: typeName, owner: holder } of page.objects) {
      const isDuplicate = visited.has(objectId)
      if (isDuplicate || !ADDRESS.test(objectId) || !VERSION.test(version) || !isType(typeName, type) || !isHeldBy(holder, owner))
        throw malformedAnswer({ objectId, version, listed: typeName, holder })
      visited.add(objectId)
      owned.push({ id: objectId, version, content })
    }
    // A page may be empty and still not be the last.
    if (!page.hasNextPage) return owned
    cursor = page.cursor
  }
  throw badGateway(
    'UPSTREAM_ERROR',
    `The chain's node lists ${visited.size} objects of the type ${type} for ${owner} on ${PAGES} pages, and not their end, so that the position as a whole cannot be told. Each of them can be withdrawn by its id.`,
  )
}

/**
 * Reads which of some objects their owners still have, for many owners together, in their order: an object that is deleted, or another owner's, is `gone`.
 *
 * @throws 502, 503, 504
 */
export async function readHeld(
  ctx: Reading,
  positions: readonly { readonly address: string; readonly objects: readonly string[] }[],
): Promise<readonly (readonly (HeldObject | 'gone' | 'unreadable')[])[]> {
  const chunks = chunksOf(positions.flatMap(({ objects }) => objects))
  const groups = await fewAtOnce(chunks, async (objectIds) => {
    const { objects } = await answer(ctx.node.sui.getObjects({ objectIds, include: { previousTransaction: true } }))
    return objectIds.map((id, index) => ({ id, object: objects[index] }))
  })
  const all = groups.flat().values()
  return positions.map(({ address, objects }) =>
    objects.map(() => {
      const { id = '', object } = all.next().value ?? {}
      return heldOf(object, id, address)
    }),
  )
}

/**
 * Reads the present owners of objects, whoever they are.
 *
 * @returns by identifier; null for one that is not there, deleted or wrapped into another one; without those that could not be read
 * @throws 502, 503, 504
 */
export async function readOwners(ctx: Reading, ids: readonly string[]): Promise<ReadonlyMap<string, SuiClientTypes.ObjectOwner | null>> {
  const owners = new Map<string, SuiClientTypes.ObjectOwner | null>()
  await fewAtOnce(chunksOf(ids), async (objectIds) => {
    const { objects } = await answer(ctx.node.sui.getObjects({ objectIds }))
    for (const [index, id] of objectIds.entries()) {
      const object = objects[index]
      if (isMissing(object)) owners.set(id, null)
      else if (isReadable(object, id)) owners.set(id, object.owner)
    }
  })
  return owners
}

function chunksOf(ids: readonly string[]): readonly string[][] {
  return Array.from({ length: Math.ceil(ids.length / OBJECTS_PER_REQUEST) }, (_, index) =>
    ids.slice(index * OBJECTS_PER_REQUEST, (index + 1) * OBJECTS_PER_REQUEST),
  )
}

function isReadable<O extends SuiClientTypes.Object>(object: O | Error | undefined, id: string): object is O {
  return object !== undefined && !(object instanceof Error) && object.objectId === id && namesOwner(object.owner)
}

function heldOf(
  object: SuiClientTypes.Object<{ previousTransaction: true }> | Error | undefined,
  id: string,
  owner: string,
): HeldObject | 'gone' | 'unreadable' {
  if (isMissing(object)) return 'gone'
  if (!isReadable(object, id)) return 'unreadable'
  const { version, previousTransaction } = object
  if (!VERSION.test(version) || !isValidTransactionDigest(previousTransaction ?? '')) return 'unreadable'
  return isHeldBy(object.owner, owner) ? { id, version, previousTransaction: previousTransaction ?? '' } : 'gone'
}

function isType(actual: string, target: string): boolean {
  return isValidStructTag(actual) && normalizeStructTag(actual) === target
}

function isHeldBy(holder: SuiClientTypes.ObjectOwner | null, owner: string): boolean {
  const address = holder?.$kind === 'AddressOwner' ? holder.AddressOwner : holder?.ConsensusAddressOwner?.owner
  return typeof address === 'string' && normalizeSuiAddress(address) === owner
}

function contentOf(object: SuiClientTypes.Object<{ content: true }> | Error | undefined, id: string): Content {
  if (isMissing(object)) return 'missing'
  if (object === undefined || object instanceof Error || object.objectId !== id) return 'unreadable'
  return object.content ?? 'unreadable'
}

/** Tells whether all of an owner came, as an address in full: behind the library's types a member that the node left out is missing. */
function namesOwner(owner: SuiClientTypes.ObjectOwner | null): boolean {
  if (owner?.$kind === 'AddressOwner') return ADDRESS.test(owner.AddressOwner)
  if (owner?.$kind === 'ObjectOwner') return ADDRESS.test(owner.ObjectOwner)
  if (owner?.$kind === 'ConsensusAddressOwner') return ADDRESS.test(owner.ConsensusAddressOwner.owner)
  return owner !== null
}

/** The library's word for what is not there. */
function isMissing(object: object | undefined): boolean {
  return membersOf(object).reason === 'notFound'
}
