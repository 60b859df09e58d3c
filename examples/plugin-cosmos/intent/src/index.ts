export { move } from './actions.ts'
export { moves } from './intent.ts'
export { beginRedelegate } from './layouts.ts'
export { type Terms, terms } from './terms.ts'
