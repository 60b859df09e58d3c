import type { Params } from './params.ts'

/** A method of the node: its result, in values that JSON can carry. */
export type Method = (params: Params) => unknown
