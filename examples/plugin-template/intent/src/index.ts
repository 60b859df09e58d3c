export { type CloseFacts, close, deposit, type WithdrawFacts, withdraw } from './actions.ts'
export { savings } from './intent.ts'
export { type Terms, terms } from './terms.ts'
