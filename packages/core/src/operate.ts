// What a command beside the service works with: config, accounts, keys and the database. A tenth of the service's modules, since nobody who lists
// keys waits for Fastify, Redis and metrics to be loaded.

export { shortName } from './base/short-name.ts'
export { loadConfig, readConfig } from './config/load.ts'
export { judgePeppers } from './credentials/peppers.ts'
export { findDashboard } from './dashboard/find.ts'
export { inspectorFile } from './dashboard/inspector-file.ts'
export { findIntents } from './dashboard/intents.ts'
export { openStore } from './db/open.ts'
export { NO_ACCOUNT } from './db/store.ts'
export { createCredential, eachCredential, readCredential, removeCredential, updateCredential } from './keys/manage.ts'
export { recorded } from './keys/record-change.ts'
export { type Followed, findFollowed } from './life/find-transaction.ts'
export { createAccounts } from './plugins/accounts.ts'
export { installedPlugins, operatorFolder } from './plugins/discover.ts'
export { loadSecrets } from './state/secrets.ts'
export { readSubscription, requireEvents } from './webhooks/subscription.ts'
export { createDeskAlone, keyEventsAlone } from './webhooks/without-service.ts'
