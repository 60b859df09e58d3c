// What a command beside the service works with: config, accounts, keys and the database. A tenth of the service's modules, since nobody who lists
// keys waits for Fastify, Redis and metrics to be loaded.
export { createAccounts } from './accounts.ts'
export { loadConfig, readConfig } from './config/load.ts'
export { findDashboard } from './dashboard/find.ts'
export { openStore } from './db/open.ts'
export { NO_ACCOUNT } from './db/store.ts'
export { installedPlugins, operatorFolder } from './discover.ts'
export { createCredential, eachCredential, readCredential, removeCredential, updateCredential } from './keys/manage.ts'
export { judgePeppers } from './keys/peppers.ts'
export { recorded } from './keys/recorded.ts'
export { loadSecrets } from './secrets.ts'
