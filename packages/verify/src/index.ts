export { check } from './check.ts'
export { DecodeError, EncodeError } from './errors.ts'
export type * from './types.ts'
