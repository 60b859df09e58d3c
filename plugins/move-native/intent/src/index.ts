export { stake, type UnstakeFacts, unstake } from './actions.ts'
export { functions } from './functions.ts'
export { moveNative } from './intent.ts'
export { type Terms, terms } from './terms.ts'
