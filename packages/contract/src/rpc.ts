// For kits whose nodes speak JSON-RPC.
export type { AgreementRule, JsonRpcAgreement } from './agreement.ts'
export { createJsonRpc, type JsonRpc, type JsonRpcOptions, type Lacks, type SentinelTiming } from './json-rpc.ts'
export { unanswered } from './json-rpc-answers.ts'
export { conversationsOf, type JsonRpcLine, type JsonRpcSubscription } from './json-rpc-conversation.ts'
export type { JsonRpcFault, Sentinel, SentinelReading } from './json-rpc-wave.ts'
