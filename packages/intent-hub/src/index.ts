export { type HubActions, hubActions, type UnstakeFacts } from './actions.ts'
export { type HubIntent, hubIntent, hubOne, hubTwo, injective, kava, osmosis } from './intent.ts'
export { layouts } from './layouts.ts'
export { type Terms, terms } from './terms.ts'
