export { type Accounts, createAccounts } from './accounts.ts'
export { type Service, type StartOptions, start } from './boot.ts'
export { configProblems, type LoadedConfig, loadConfig, parseConfig, readConfig } from './config/load.ts'
export { type Config, type ConfigInput, ConfigSchema, defineConfig } from './config/schema.ts'
export { type FoundDashboard, findDashboard } from './dashboard/find.ts'
export { lockDataFolder } from './db/lock.ts'
export { openStore } from './db/open.ts'
export {
  type AuditFilter,
  type AuditPage,
  type AuditRecord,
  type Credential,
  type CredentialKind,
  type CredentialScope,
  NO_ACCOUNT,
  type Store,
} from './db/store.ts'
export {
  discover,
  type InstalledPlugin,
  installedPlugins,
  type LoadedPlugin,
  loadPlugin,
  type Manifest,
  operatorFolder,
  type Places,
  readManifest,
} from './discover.ts'
export { createDrain, type Drain, type UnderWay } from './drain.ts'
export { importFrom } from './import-from.ts'
export { type Checker, createChecker } from './keys/checker.ts'
export {
  type AlsoChanged,
  type BeforeChange,
  createCredential,
  eachCredential,
  listCredentials,
  readCredential,
  removeCredential,
  updateCredential,
} from './keys/manage.ts'
export { judgePeppers } from './keys/peppers.ts'
export { type Operator, recorded } from './keys/recorded.ts'
export type { Peppers } from './keys/value.ts'
export { createPulse, type Pulse } from './life/pulse.ts'
export { createMetrics, type Metrics } from './metrics.ts'
export { askPrices } from './prices/source.ts'
export { pingRedis } from './redis.ts'
export { createRpc, type Rpc } from './rpc/rpc.ts'
export { loadSecrets, type Secrets } from './secrets.ts'
export { createServer, type ServerOptions } from './server.ts'
export { shortName } from './short-name.ts'
export type { PublicJwk, ResponseJwk } from './signature/jwk.ts'
export { generateResponseKey, type ResponseKey, type ResponseKeyState } from './signature/response-keys.ts'
export { createSigner, freshSigner, generateSigningKey, type Signer } from './signature/signer.ts'
export { fingerprint, inspectState, type StateReport } from './state.ts'
export { assertGroups, endpointsOf, groupsOf, priceEndpoints } from './upstreams.ts'
export type { WebhookDesk } from './webhooks/desk.ts'
export type { Events, NewEvent, StoredEvent } from './webhooks/events.ts'
export { keepExampleWebhook } from './webhooks/example.ts'
export type { Delivery } from './webhooks/history.ts'
export type { WebhookScope, WebhookState } from './webhooks/manage.ts'
export { createWebhooks, type Webhooks, type WebhooksOptions, type WebhookTuning } from './webhooks/service.ts'
