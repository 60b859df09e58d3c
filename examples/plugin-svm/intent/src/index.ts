export { type DepositFacts, deposit, type RedeemFacts, redeem } from './actions.ts'
export { vouchers } from './intent.ts'
export { layouts } from './layouts.ts'
export { type Terms, terms } from './terms.ts'
