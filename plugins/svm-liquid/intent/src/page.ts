// What the page of the dashboard loads: the intent, and what the Inspector knows of the family besides.
export { inspectedSvm } from '@svc/verify/svm/inspected'
export * from './index.ts'
