// What the page of the dashboard loads: the intents, and what the Inspector knows of the family besides.
export { inspectedCosmos } from '@svc/verify/cosmos/inspected'
export * from './index.ts'
