export { listenUrl } from './base/listen-url.ts'
export { createMetrics, type Metrics, RARE_COUNTERS } from './base/metrics.ts'
export type { Places } from './base/places.ts'
export { shortName } from './base/short-name.ts'
export { type Host, type Service, type StartOptions, start } from './boot.ts'
export { type ConfigInput, defineConfig } from './config/input.ts'
export { configProblems, type LoadedConfig, loadConfig, parseConfig, readConfig } from './config/load.ts'
export { type PortFrom, portOf } from './config/port.ts'
export { type Config, ConfigSchema, type ResponseKeyState } from './config/schema.ts'
export { type Checker, createChecker } from './credentials/checker.ts'
export { judgePeppers } from './credentials/peppers.ts'
export type { Peppers } from './credentials/value.ts'
export { type FoundDashboard, findDashboard } from './dashboard/find.ts'
export { findIntents, type IntentScript, type PageIntents } from './dashboard/intents.ts'
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
export { createDrain, type Drain, type UnderWay } from './http/drain.ts'
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
export { type Operator, recorded } from './keys/record-change.ts'
export { type Attempt, attempt } from './ledger/attempt.ts'
export type { Base } from './ledger/lines.ts'
export { SWEPT_AT_ONCE } from './life/budget.ts'
export { listTransactions } from './life/list.ts'
export { createPulse, type Pulse } from './life/pulse.ts'
export { type Accounts, createAccounts } from './plugins/accounts.ts'
export {
  discover,
  foldersOf,
  type InstalledPlugin,
  installedPlugins,
  type LoadedPlugin,
  loadPlugin,
  type Manifest,
  operatorFolder,
  readManifest,
} from './plugins/discover.ts'
export { importFrom } from './plugins/import-from.ts'
export { LOAD_MS, type Loading, loadModule } from './plugins/loading.ts'
export { askPrices } from './prices/source.ts'
export { pingRedis } from './redis/redis.ts'
export { PROBE_MS } from './rpc/listen.ts'
export { createRpc, type Rpc } from './rpc/rpc.ts'
export { agreementOf, assertGroups, endpointsOf, groupsOf, oneOperator, priceEndpoints } from './rpc/upstreams.ts'
export { createServer, type HostExtension, type ServerOptions } from './server.ts'
export type { PublicJwk, ResponseJwk } from './signature/jwk.ts'
export { generateResponseKey, type ResponseKey } from './signature/response-keys.ts'
export { createSigner, freshSigner, generateSigningKey, type Signer } from './signature/signer.ts'
export { loadSecrets, type Secrets } from './state/secrets.ts'
export { fingerprint, inspectState, type StateReport } from './state/state.ts'
export { type PendingMigration, readUpgrade, type Upgrade } from './state/upgrade.ts'
export { lostWarning, readValidatorWords, type ValidatorWords } from './state/validator-words.ts'
export { type Blame, blame, type Folders, placesOfError } from './watchdog/blame.ts'
export type { WebhookDesk, WithSecret } from './webhooks/desk.ts'
export type { Events, NewEvent, StoredEvent } from './webhooks/events.ts'
export { keepExampleWebhook } from './webhooks/example.ts'
export { type Delivery, readEvents } from './webhooks/history.ts'
export type { Subscription, WebhookScope, WebhookState } from './webhooks/manage.ts'
export { createWebhooks, type Webhooks, type WebhooksOptions, type WebhookTuning } from './webhooks/service.ts'
