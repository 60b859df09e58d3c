// For what a node must have, as kits and protocols declare it and ask for it.
export {
  askBatch,
  askNode,
  isNotServed,
  type JsonRpcAnswer,
  missingMethod,
  type NodeSetting,
  type ProbeContext,
  type Requirement,
} from './requirement.ts'
export { missingPush } from './requirement-push.ts'
