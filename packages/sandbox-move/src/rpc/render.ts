import { GrpcTypes } from '@mysten/sui/grpc'
import { contentsOf, hasPublicTransfer, type MoveObject, type Owner, typeOf } from '../objects.ts'

/** Converts milliseconds since 1970 to protobuf's form. */
export function timestampOf(ms: number): { seconds: bigint; nanos: number } {
  return { seconds: BigInt(Math.floor(ms / 1000)), nanos: (ms % 1000) * 1_000_000 }
}

/** Converts an owner into the message of the wire protocol. */
export function ownerMessage(owner: Owner): GrpcTypes.Owner {
  const kinds = GrpcTypes.Owner_OwnerKind
  switch (owner.kind) {
    case 'address':
      return { kind: kinds.ADDRESS, address: owner.address }
    case 'object':
      return { kind: kinds.OBJECT, address: owner.parent }
    case 'shared':
      return { kind: kinds.SHARED, version: owner.since }
    case 'consensus':
      return { kind: kinds.CONSENSUS_ADDRESS, address: owner.address, version: owner.since }
  }
}

/** Writes an object with every member that this node knows. */
export function objectMessage(object: MoveObject): GrpcTypes.Object {
  const objectType = typeOf(object.content)
  return GrpcTypes.Object.create({
    objectId: object.id,
    version: object.version,
    digest: object.digest,
    owner: ownerMessage(object.owner),
    objectType,
    hasPublicTransfer: hasPublicTransfer(object.content),
    contents: { name: objectType, value: contentsOf(object.id, object.content) },
    previousTransaction: object.previousTransaction,
    storageRebate: object.storageRebate,
    ...(object.content.kind === 'coin' ? { balance: object.content.balance } : {}),
  })
}
