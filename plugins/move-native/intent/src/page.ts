// What the page of the dashboard loads: the intent, and what the Inspector knows of the family besides.
export { inspectedMove } from '@svc/verify/move/inspected'
export * from './index.ts'
