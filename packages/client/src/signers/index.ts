// Subpath `@svc/client/signers`: signers from what people have. None of their libraries is imported: each is known by its methods.
export { type CosmjsAminoSigner, type CosmjsSigner, cosmjsSigner } from './cosmos.ts'
export { type CustodyBody, type CustodyPlatform, payloadsFor } from './custody.ts'
export { type Eip1193Provider, type EthersSigner, eip1193Signer, ethersSigner, type ViemAccount, viemSigner } from './evm.ts'
export { type SuiKeypair, type SuiWallet, suiKeypair, suiWallet } from './move.ts'
export { type RawSigner, rawSigner } from './raw.ts'
export { type SolanaKeypair, type SolanaWallet, solanaKeypair, walletStandard } from './svm.ts'
