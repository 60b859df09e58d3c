// Subpath `@svc/client/signers`: signers from what people have. None of their libraries is imported: each is known by its methods.
export { type CosmjsSigner, cosmjsSigner } from './cosmos.ts'
export { type EthersSigner, ethersSigner, type ViemAccount, viemSigner } from './evm.ts'
export { type SuiKeypair, suiKeypair } from './move.ts'
export { type RawSigner, rawSigner } from './raw.ts'
export { type SolanaKeypair, type SolanaWallet, solanaKeypair, walletStandard } from './svm.ts'
