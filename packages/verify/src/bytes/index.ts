// Subpath `@svc/verify/bytes`: what readers and intents of every family are made of. For the second entry only: who writes transactions takes
// none of it, so that an error would have to be made twice.
export { verifies as verifiesEd25519 } from '../curve/ed25519.ts'
export { base58, bytesOfBase58 } from './base58.ts'
export { base64, bytesOfBase64 } from './base64.ts'
export { type Cursor, cursor } from './cursor.ts'
export { bytesOf, digitsOf } from './hex.ts'
export { sha256 } from './sha256.ts'
export { signatureForms } from './signature-text.ts'
export { bytesOfText } from './text.ts'
