// What the page of the dashboard loads: the intent, and what the Inspector knows of the family besides.
export { inspectedEvm } from '@svc/verify/evm/inspected'
export * from './index.ts'
