import { bcs } from '@mysten/sui/bcs'
import { GrpcTypes } from '@mysten/sui/grpc'
import { fungibleDataKeyType, fungibleDataType, rateType, suiDecimals, suiType } from '../constants.ts'
import { GrpcError, invalid, withoutIndex } from '../errors.ts'
import type { Node } from '../node.ts'
import { contentsOf, indexKeyOf, type MoveObject, typeOf } from '../objects.ts'
import { inFull } from '../vm/run.ts'
import { isAddress } from './identifiers.ts'
import { project, readMask } from './mask.ts'
import type { Handler, Handlers } from './method.ts'
import { page } from './paging.ts'
import { objectMessage } from './render.ts'

const listOwnedObjects: Handler<GrpcTypes.ListOwnedObjectsRequest> = (node, request) => {
  requireIndex(node)
  const owner = isAddress('owner', request.owner)
  const mask = readMask(GrpcTypes.Object, request.readMask?.paths, 'object_id,version,object_type')
  const type = request.objectType === undefined ? undefined : structType('object_type', request.objectType)
  const all = node.listedFor(owner).filter(({ content }) => type === undefined || matches(typeOf(content), type))
  const listing = {
    key: indexKeyOf,
    render: (object: MoveObject) => project(GrpcTypes.Object, objectMessage(object), mask),
    size: (message: GrpcTypes.Object) => GrpcTypes.Object.toBinary(message).length,
  }
  const { messages, ...next } = page(node, all, listing, request, `owned ${owner} ${type ?? ''}`)
  return { objects: messages, ...next }
}

/** A type without its arguments stands for all of them. */
function matches(type: string, target: string): boolean {
  return type === target || type.startsWith(`${target}<`)
}

function structType(name: string, type: string): string {
  if (!/^0x[0-9a-f]{1,64}::\w+::\w+(<.+>)?$/i.test(type)) throw invalid(`invalid ${name}: ${type}`)
  return inFull(type)
}

const getBalance: Handler<GrpcTypes.GetBalanceRequest> = (node, request) => {
  requireIndex(node)
  const owner = isAddress('owner', request.owner)
  if (request.coinType === undefined) throw invalid('missing coin_type')
  const type = structType('coin_type', request.coinType)
  const { coins, address, total } = type === suiType ? node.balanceOf(owner) : { coins: 0n, address: 0n, total: 0n }
  return { balance: { coinType: type, balance: total, addressBalance: address, coinBalance: coins } }
}

const listBalances: Handler<GrpcTypes.ListBalancesRequest> = (node, request) => {
  requireIndex(node)
  const { coins, address, total } = node.balanceOf(isAddress('owner', request.owner))
  return { balances: total === 0n ? [] : [{ coinType: suiType, balance: total, addressBalance: address, coinBalance: coins }] }
}

const getCoinInfo: Handler<GrpcTypes.GetCoinInfoRequest> = (node, { coinType: coinName = '' }) => {
  requireIndex(node)
  const type = structType('coin_type', coinName)
  if (type !== suiType) throw new GrpcError('NOT_FOUND', `Coin type ${coinName} not found`)
  return { coinType: type, metadata: { decimals: suiDecimals, name: 'Sui', symbol: 'SUI', description: '' } }
}

const listDynamicFields: Handler<GrpcTypes.ListDynamicFieldsRequest> = (node, request) => {
  requireIndex(node)
  const parent = isAddress('parent', request.parent)
  const mask = readMask(GrpcTypes.DynamicField, request.readMask?.paths, 'parent,field_id')
  const listing = {
    key: ({ id }: MoveObject) => id,
    render: (field: MoveObject) => project(GrpcTypes.DynamicField, fieldMessage(parent, field), mask),
    size: (message: GrpcTypes.DynamicField) => GrpcTypes.DynamicField.toBinary(message).length,
  }
  const { messages, ...next } = page(node, node.fieldsOf(parent), listing, request, `fields ${parent}`)
  return { dynamicFields: messages, ...next }
}

function fieldMessage(parent: string, field: MoveObject): GrpcTypes.DynamicField {
  const { content } = field
  const isRate = content.kind === 'rate'
  const name = isRate
    ? { name: 'u64', value: bcs.u64().serialize(content.epoch).toBytes() }
    : { name: fungibleDataKeyType, value: new Uint8Array([0]) }
  const valueType = isRate ? rateType : fungibleDataType
  return GrpcTypes.DynamicField.create({
    kind: GrpcTypes.DynamicField_DynamicFieldKind.FIELD,
    parent,
    fieldId: field.id,
    fieldObject: objectMessage(field),
    name,
    value: { name: valueType, value: contentsOf(field.id, content).slice(32 + name.value.length) },
    valueType,
  })
}

/** @throws GrpcError `NOT_FOUND`, before anything that was asked is looked at */
function requireIndex({ knobs }: Node): void {
  if (!knobs.index) throw withoutIndex()
}

/** Methods of StateService. */
export const stateHandlers: Handlers = {
  ListOwnedObjects: listOwnedObjects,
  GetBalance: getBalance,
  ListBalances: listBalances,
  GetCoinInfo: getCoinInfo,
  ListDynamicFields: listDynamicFields,
}
