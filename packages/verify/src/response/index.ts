export type * from './types.ts'
export { contentDigest, thumbprint, verifyResponse } from './verify.ts'
