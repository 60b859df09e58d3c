// Subpath `@svc/verify/move`: the reader of Move transactions as Sui has them, and what an intent writes its effects with.
export { longAddress } from './address.ts'
export { decodeMove, type MoveCraft } from './decode.ts'
export { move } from './family.ts'
export { call, type MoveFunction } from './layout.ts'
export type { MoveNetwork } from './network.ts'
export { serializeSignature, transactionOf, writeSigned } from './signing.ts'
export { verifyMove } from './verify.ts'
