export { claimRewards, compound, delegate, undelegate, withdraw } from './actions.ts'
export { evmThree } from './intent.ts'
export { type Terms, terms } from './terms.ts'
