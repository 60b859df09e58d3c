// Subpath `@svc/verify/bytes`: what intents of every family work out addresses with. For the second entry only: who writes transactions takes
// none of it, so that an error would have to be made twice.
export { base58, bytesOfBase58 } from './base58.ts'
export { bytesOf, digitsOf } from './hex.ts'
export { sha256 } from './sha256.ts'
