// Subpath `@svc/verify/evm`: the reader of EVM transactions, and what an intent writes its effects with.
export { encodeCall } from './abi.ts'
export { call } from './call.ts'
export { decodeCall, decodeEvm, type EvmCraft, type EvmPayload } from './decode.ts'
export { describeCalls } from './describe.ts'
export { evm, sameAddress } from './family.ts'
export { verifyEvm } from './verify.ts'
