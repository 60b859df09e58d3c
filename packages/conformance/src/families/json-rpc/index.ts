// Subpath `@svc/conformance/json-rpc`: what the driver of a family that speaks JSON-RPC is made of, and what drivers of all families share.

export { awaitLanding, type Outcome } from '../../landing.ts'
export { type Body, type BodyChange, changed, flipped, garbleJsonRpc, type JsonRpcFaults } from '../shared/faults.ts'
export { foreignAddresses } from '../shared/foreign.ts'
export { rpc } from './call.ts'
export { type Change, FORMS, type JsonRpcLies, jsonRpcLiar, type Leaf } from './lies.ts'
