// Subpath `@svc/verify/svm`: the reader of Solana transactions, and what an intent writes its effects with.
export { decodeSvm, type SvmCraft } from './decode.ts'
export { keyOf, programAddress, seededAddress } from './derive.ts'
export { svm } from './family.ts'
export type { SvmKind } from './kinds.ts'
export { call, nonceAdvance, role, type SvmAccount, type SvmInstruction, type SvmProgram } from './layout.ts'
export { rentCeiling } from './rent.ts'
export { transactionOf } from './signing.ts'
export { verifySvm } from './verify.ts'
