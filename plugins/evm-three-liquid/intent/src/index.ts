export { delegate, type UndelegateFacts, undelegate, withdraw } from './actions.ts'
export { evmThreeLiquid } from './intent.ts'
export type { Books } from './shares.ts'
export { type Terms, terms } from './terms.ts'
