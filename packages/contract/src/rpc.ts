// For kits whose nodes speak JSON-RPC.
export type { AgreementRule, JsonRpcAgreement } from './agreement.ts'
export { createJsonRpc, type JsonRpc, type JsonRpcOptions, type Judged, type Lacks } from './json-rpc.ts'
export { unanswered } from './json-rpc-answers.ts'
export type { JsonRpcFault, Sentinel, Watched } from './json-rpc-wave.ts'
