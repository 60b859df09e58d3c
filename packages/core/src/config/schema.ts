import type { ProtocolPlugin } from '@svc/contract'
import { type Static, Type } from 'typebox'

const strict = { additionalProperties: false }
const Url = Type.String({ pattern: '^https?://', description: 'Address of an endpoint, http or https.' })

const Endpoint = Type.Union([Url, Type.Object({ url: Url, headers: Type.Optional(Type.Record(Type.String(), Type.String())) }, strict)])

const Network = Type.Object(
  {
    name: Type.String({ minLength: 1, description: "The operator's word for the network, shown by /networks." }),
    endpoints: Type.Record(Type.String(), Type.Array(Endpoint, { minItems: 1 }), {
      description: 'Endpoint groups, each a list in order of preference: the next is asked when one fails.',
    }),
  },
  // The rest is the plugin's own, and checked by its schema.
  { additionalProperties: true },
)

const Plugin = Type.Object(
  {
    module: Type.Optional(
      Type.Unknown({ description: 'The plugin itself, in a config that is a module; else the package of this name is loaded.' }),
    ),
    networks: Type.Record(Type.String(), Network, { description: 'By chain id, the value of X-NETWORK.' }),
    default_network: Type.Optional(Type.String({ description: 'Network used when X-NETWORK is omitted. Default: the first.' })),
  },
  strict,
)

const AccountPlugin = Type.Object(
  {
    networks: Type.Optional(
      Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
        description:
          "Networks enabled, by chain id, each with the account's own settings (its validator, say). Default: all, as the operator set them.",
      }),
    ),
    default_network: Type.Optional(Type.String()),
  },
  strict,
)

const Account = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    plugins: Type.Optional(Type.Record(Type.String(), AccountPlugin, { description: 'What the account may use. Default: everything.' })),
  },
  strict,
)

/** The operator's one config file. */
export const ConfigSchema = Type.Object(
  {
    listen: Type.Object(
      {
        host: Type.String({ default: '127.0.0.1' }),
        port: Type.Integer({ minimum: 0, maximum: 65_535, default: 3000 }),
      },
      { ...strict, default: {} },
    ),
    plugins: Type.Record(Type.String(), Plugin, { description: 'By package name.' }),
    accounts: Type.Record(Type.String(), Account, { description: 'Customers, by id.' }),
    trusted_proxies: Type.Array(Type.String(), {
      default: [],
      description: 'Addresses or networks of the proxies whose X-Forwarded-For is believed. Default: none.',
    }),
    limits: Type.Object(
      {
        key_per_minute: Type.Integer({ minimum: 1, default: 200 }),
        address_per_minute: Type.Integer({ minimum: 1, default: 60 }),
        body_bytes: Type.Integer({ minimum: 1024, default: 327_680 }),
      },
      { ...strict, default: {} },
    ),
    upstream: Type.Object(
      {
        timeout_ms: Type.Integer({ minimum: 100, default: 5000, description: 'Longest wait for one endpoint.' }),
        deadline_ms: Type.Integer({ minimum: 100, default: 12_000, description: 'Longest wait for a group of endpoints.' }),
      },
      { ...strict, default: {} },
    ),
    metrics: Type.Optional(
      Type.Object(
        { host: Type.String({ default: '127.0.0.1' }), port: Type.Integer({ minimum: 0, maximum: 65_535 }) },
        { ...strict, description: 'Where counters are served as text for Prometheus. Default: nowhere.' },
      ),
    ),
    signing_key: Type.Optional(Type.String({ description: 'PEM of the RSA private key that signs every response.' })),
    peppers: Type.Optional(
      Type.Array(Type.String({ minLength: 32 }), {
        minItems: 1,
        description: 'Secrets that key the tag of issued values; the first one mints, the others are still accepted.',
      }),
    ),
    database_url: Type.Optional(Type.String()),
    redis_url: Type.Optional(Type.String()),
    data_dir: Type.String({
      default: '.svc',
      description: "Folder of the embedded database and of generated keys, relative to the config file's.",
    }),
    log_level: Type.String({ enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], default: 'info' }),
  },
  strict,
)

/** The config with defaults filled in. */
export type Config = Static<typeof ConfigSchema>
export type PluginConfig = Config['plugins'][string]
export type NetworkConfig = PluginConfig['networks'][string]
export type AccountConfig = Config['accounts'][string]
type EndpointConfig = NetworkConfig['endpoints'][string][number]

/** The config as an operator writes it: what has a default may be left out, and a plugin may be named by its module. */
export interface ConfigInput {
  readonly listen?: Partial<Config['listen']>
  readonly plugins: Readonly<
    Record<
      string,
      {
        readonly module?: ProtocolPlugin
        readonly networks: Readonly<
          Record<
            string,
            {
              readonly name: string
              readonly endpoints: Readonly<Record<string, readonly EndpointConfig[]>>
              readonly [setting: string]: unknown
            }
          >
        >
        readonly default_network?: string
      }
    >
  >
  readonly accounts: Config['accounts']
  readonly trusted_proxies?: readonly string[]
  readonly limits?: Partial<Config['limits']>
  readonly upstream?: Partial<Config['upstream']>
  readonly metrics?: { readonly host?: string; readonly port: number }
  readonly signing_key?: string
  readonly peppers?: readonly string[]
  readonly database_url?: string
  readonly redis_url?: string
  readonly data_dir?: string
  readonly log_level?: Config['log_level']
}

/** Types a config that is a module; returns it as it is. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config
}
