import { type Static, Type } from 'typebox'
import { LifeSchema } from './life-schema.ts'

/** `next`: published, will sign; `active`: signs; `retired`: published, has signed. */
export type ResponseKeyState = 'next' | 'active' | 'retired'

const strict = { additionalProperties: false }
const Url = Type.String({ pattern: '^https?://', description: 'Address of an endpoint, http or https.' })

const Endpoint = Type.Union([Url, Type.Object({ url: Url, headers: Type.Optional(Type.Record(Type.String(), Type.String())) }, strict)])

const Network = Type.Object(
  {
    name: Type.String({ minLength: 1, description: "The operator's word for the network, shown by /networks." }),
    endpoints: Type.Record(Type.String(), Type.Array(Endpoint, { minItems: 1 }), {
      description: 'Endpoint groups, each a list in order of preference: the next is asked when one fails.',
    }),
    agreement: Type.Optional(
      Type.Unsafe<1 | 2>(
        Type.Integer({
          minimum: 1,
          maximum: 2,
          description:
            'Endpoints that have to say the same before a reading is believed. Two need two endpoints, better of two operators. Default: 1.',
        }),
      ),
    ),
    hedge: Type.Optional(
      Type.Boolean({
        description:
          'Whether the second endpoint is asked as well where the first takes too long, for a tenth of the readings at most. Default: true.',
      }),
    ),
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
    max_keys: Type.Optional(Type.Integer({ minimum: 1, description: 'Most API keys that it may have. Default: 1000.' })),
    broadcast: Type.Optional(
      Type.Unsafe<'known' | 'any'>(
        Type.String({
          enum: ['known', 'any'],
          description:
            'Transactions that prepare and broadcast take: `known`, those alone that do what one request to the protocol leads to; `any`, whatever they do. The event security.hidden_call is told of the others either way. Default: known.',
        }),
      ),
    ),
    own_addresses: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String({ minLength: 1, maxLength: 200 })), {
        description:
          "Addresses that are the account's own besides the wallets that it watches, by package name of the plugin: a vault, a payout account. That one of them gains a power over a position is no alarm.",
      }),
    ),
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
    workers: Type.Integer({
      minimum: 1,
      maximum: 64,
      default: 1,
      description: 'Processes that serve side by side on one port. More than one needs PostgreSQL and Redis.',
    }),
    public_url: Type.Optional(
      Type.String({
        pattern: '^https?://[A-Za-z0-9._:[\\]-]+(/[A-Za-z0-9._~/-]*)?$',
        description:
          'Where callers reach the service: what stands before /api/v1 for them, as https://example.org/staking. Needed where a proxy takes a prefix off the path. Every answer is bound to it.',
      }),
    ),
    trusted_proxies: Type.Array(Type.String(), {
      default: [],
      description: 'Addresses or networks of the proxies whose X-Forwarded-For is believed. Default: none.',
    }),
    limits: Type.Object(
      {
        key_per_minute: Type.Integer({ minimum: 1, default: 200 }),
        address_per_minute: Type.Integer({ minimum: 1, default: 60 }),
        console_per_minute: Type.Integer({
          minimum: 1,
          default: 600,
          description: "Requests of an address for the console's files and the OpenAPI document.",
        }),
        ipv6_prefix: Type.Integer({
          minimum: 16,
          maximum: 128,
          default: 64,
          description: 'Leading bits of an IPv6 address that count as one address.',
        }),
        body_bytes: Type.Integer({ minimum: 1024, default: 327_680 }),
        in_flight: Type.Integer({
          minimum: 1,
          default: 1000,
          description: 'Most requests under way in all; the next is 503.',
        }),
        in_flight_per_connection: Type.Integer({
          minimum: 1,
          default: 16,
          description: 'Most requests under way on one connection; the next is 503 and closes it.',
        }),
        write_timeout_ms: Type.Integer({
          minimum: 100,
          default: 60_000,
          description: 'Longest that a caller may take to read an answer; then the connection is closed.',
        }),
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
    prices: Type.Optional(
      Type.Object(
        {
          endpoints: Type.Array(Endpoint, {
            minItems: 1,
            description: "Services with CoinGecko's simple/price, in order of preference; /simple/price is appended to each address.",
          }),
        },
        {
          ...strict,
          description: 'Where the US dollar prices of native tokens come from, for tvl_usd. Default: nowhere, and tvl_usd is null.',
        },
      ),
    ),
    life: LifeSchema,
    webhooks: Type.Object(
      {
        allow_private: Type.Boolean({
          default: false,
          description:
            'Whether webhooks may be sent over http, and to this machine and its network: for trying out alone, since customers choose the addresses.',
        }),
        ports: Type.Array(Type.Integer({ minimum: 1, maximum: 65_535 }), {
          default: [443],
          minItems: 1,
          description: 'Ports that a receiver may listen on.',
        }),
        max_per_account: Type.Integer({ minimum: 0, default: 10, description: 'Most webhooks of an account.' }),
        backlog: Type.Integer({
          minimum: 1,
          maximum: 100_000,
          default: 10_000,
          description: 'Most deliveries that wait for one webhook; further events are in the list only, and the webhook says so.',
        }),
      },
      { ...strict, default: {} },
    ),
    metrics: Type.Optional(
      Type.Object(
        { host: Type.String({ default: '127.0.0.1' }), port: Type.Integer({ minimum: 0, maximum: 65_535 }) },
        { ...strict, description: 'Where counters are served as text for Prometheus. Default: nowhere.' },
      ),
    ),
    security_txt: Type.Optional(
      Type.Object(
        {
          contact: Type.Array(Type.String({ pattern: '^(mailto:|https://|tel:)[!-~]+$' }), {
            minItems: 1,
            description: 'Addresses for reports of vulnerabilities, the preferred first: mailto:, https: or tel:.',
          }),
          expires: Type.String({
            pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2})?Z)?$',
            description: 'Until when this holds, such as 2027-06-30; RFC 9116 recommends less than a year ahead.',
          }),
          encryption: Type.Optional(Type.String({ pattern: '^[a-z][a-z0-9+.-]*:[!-~]+$' })),
          acknowledgments: Type.Optional(Type.String({ pattern: '^https://[!-~]+$' })),
          preferred_languages: Type.Optional(Type.Array(Type.String({ pattern: '^[A-Za-z0-9-]+$' }), { minItems: 1 })),
          policy: Type.Optional(Type.String({ pattern: '^https://[!-~]+$' })),
        },
        { ...strict, description: 'What /.well-known/security.txt says (RFC 9116). Default: there is none.' },
      ),
    ),
    signing_key: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })], {
        description: 'PEM of the RSA private key that signs every response; of a list the first signs, the others are published with it.',
      }),
    ),
    response_keys: Type.Optional(
      Type.Array(
        Type.Object(
          {
            key: Type.Optional(
              Type.String({
                description:
                  'PEM of an Ed25519 private key, or the 32 bytes of its seed in base64url or hex; the public PEM is enough where the key is not active.',
              }),
            ),
            file: Type.Optional(Type.String({ description: 'Instead of `key`: a file with it, relative to the data folder.' })),
            state: Type.Unsafe<ResponseKeyState>(
              Type.String({
                enum: ['next', 'active', 'retired'],
                description: '`active`: signs; `next`: published, will sign; `retired`: published, has signed.',
              }),
            ),
          },
          strict,
        ),
        { minItems: 1, description: 'Keys that bind every response to its request; exactly one is active.' },
      ),
    ),
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
