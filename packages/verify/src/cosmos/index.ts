// Subpath `@svc/verify/cosmos`: the reader of Cosmos transactions, and what an intent writes its effects with.

export { addressOfKey, type CosmosAccounts } from './address.ts'
export type { AminoDocument } from './amino.ts'
export { bytesOfBech32, writeBech32 } from './bech32.ts'
export type { CosmosChain } from './chain.ts'
export { type CosmosCraft, decodeCosmos } from './decode.ts'
export { type CosmosNames, cosmos } from './family.ts'
export type { CosmosKeys } from './keys.ts'
export { type CosmosField, type CosmosFields, type CosmosKind, type CosmosMessage, call, coin } from './layout.ts'
export { namesIn } from './names.ts'
export { aminoDocumentOf, signPartsOf, writeAminoSigned, writeSigned } from './signing.ts'
export { verifyCosmos } from './verify.ts'
