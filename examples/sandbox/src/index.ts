export { chainOf, landed } from './chain.ts'
export { Refused, type Sandbox } from './files.ts'
export { pinning, sayRefusal } from './refusal.ts'
export { heading, say, sayPosition, sayTerms, sayTransaction, story } from './tell.ts'
