export { claimRewards, compoundRewards, delegate, undelegate, withdraw } from './actions.ts'
export { evmTwo } from './intent.ts'
export { type Terms, terms } from './terms.ts'
