// The operator's one config file, with every setting there is. Copy it to svc.config.ts next to your package.json (or anywhere, and name it
// with --config or SVC_CONFIG), take out what you do not need, and look at it with `svc check` before you start it with `svc start`.
//
// In every text `${NAME}` is replaced by the environment variable NAME, which must be set, and `${NAME:-text}` by the text when it is not:
// so secrets stay out of this file. `${file:/run/secrets/pepper}` is replaced by what that file says. A setting that is shown with its default may be left out.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these texts are filled in from the environment
import { defineConfig } from '@svc/core'

export default defineConfig({
  // Where the service listens. Both may be given at start instead: --host and --port, SVC_HOST and SVC_PORT. Default: 127.0.0.1, and the
  // environment's PORT or 3000.
  listen: { host: '0.0.0.0', port: 3000 },

  // What is served: plugins by package name, each installed next to this file or in the working folder, and the networks of each by chain
  // id, which is what callers send as X-NETWORK. Installing a package, naming its networks here and starting again is all it takes.
  plugins: {
    '@svc/plugin-evm-three': {
      networks: {
        '143': {
          // Your own word for the network, which callers see.
          name: 'mainnet',
          // Groups of endpoints, each in order of preference: the next is asked when one fails. An endpoint is an address, or an address
          // with headers, such as a credential.
          endpoints: {
            rpc: ['${MONAD_RPC_URL}', { url: 'https://rpc.example.org/monad', headers: { authorization: 'Bearer ${MONAD_RPC_TOKEN}' } }],
          },
          // Endpoints that have to say the same before anything is believed: with 2, no single one is. Better of two operators. Default: 1.
          agreement: 2,
          // Whether the second endpoint is asked as well when the first one takes too long, for a tenth of the readings at most. Default: true.
          hedge: true,

          // The rest are the plugin's own settings, described in its README: first of all the validator that is delegated to.
          validator_id: 12,
          // Most that a crafted transaction may cost in fees, in native tokens; enforced on its decoded bytes. Default: the plugin's.
          max_fee: '1',
        },
      },
      // Network that is used when X-NETWORK is left out. Default: the first.
      default_network: '143',
    },
    '@svc/plugin-evm-vault': {
      networks: {
        '1': {
          name: 'ethereum',
          // Some protocols know further groups: here the indexer that serves history and yields.
          endpoints: { rpc: ['${ETHEREUM_RPC_URL}'], subgraph: ['https://graphs.stakewise.io/mainnet/subgraphs/name/stakewise/prod'] },
          vault: '0xAC0F906E433d58FA868F936E8A43230473652885',
        },
      },
    },
    // The other protocols are enabled in the same way; docs/protocols.md names the package, networks and settings of each.
    // In a config that is a module, a plugin may also be given itself, here under any name:
    //   '@acme/plugin-own': { module: ownPlugin, networks: { … } },
  },

  // Your customers, by an id of small letters, digits and hyphens. Keys and tokens belong to an account: svc keys, svc tokens.
  accounts: {
    // An account that names no plugins may use everything, as it is set above.
    own: { name: 'Our own products' },
    acme: {
      name: 'Acme Custody',
      // Most API keys that it may have. Default: 1000.
      max_keys: 50,
      // What its transactions may do: 'known', what one request to a protocol leads to; or 'any', whatever it is. Default: 'known'.
      broadcast: 'known',
      // Addresses that are its own besides the wallets that it watches, such as its vault: that one of them gains a power over a position is no alarm. Default: none.
      own_addresses: { '@svc/plugin-evm-three': ['0x1CBd3b2770909D4e10f157cABC84C7264073C9Ec'] },
      // What it may use. A plugin that is not named here does not exist for it.
      plugins: {
        '@svc/plugin-evm-three': {
          // Networks that it may use, each with what differs for it: here its own validator. Default: all of them, as they are set above.
          networks: { '143': { validator_id: 34 } },
          // Default: the plugin's default network, or the first that is enabled.
          default_network: '143',
        },
      },
    },
  },

  // Processes that serve side by side on one port. More than one needs PostgreSQL and Redis. Default: 1.
  workers: 2,

  // Where callers reach the service: what stands before /api/v1 for them. Needed where a proxy takes a prefix off the path; every answer is bound to
  // it. Default: none, so that answers are bound to the path alone.
  public_url: 'https://example.org/staking',

  // Proxies whose X-Forwarded-For is believed, by address or network; only then is the caller's address taken from it. Default: none.
  trusted_proxies: ['10.0.0.0/8'],

  // Requests a minute for a verified key or token, and for an address without one; largest body. Defaults as shown.
  limits: {
    key_per_minute: 200,
    address_per_minute: 60,
    console_per_minute: 600,
    ipv6_prefix: 64,
    body_bytes: 327_680,
    in_flight: 1000,
    in_flight_per_connection: 16,
    write_timeout_ms: 60_000,
  },

  // Longest wait for one endpoint, and for all endpoints of a group together, in milliseconds. Defaults as shown.
  upstream: { timeout_ms: 5000, deadline_ms: 12_000 },

  // Where the US dollar prices of native tokens come from, for tvl_usd: any service with CoinGecko's simple/price, in order of preference.
  // A network's price_id names its token there, where the plugin's own id is not the source's. Default: nowhere, and tvl_usd is null.
  prices: { endpoints: [{ url: 'https://pro-api.coingecko.com/api/v3', headers: { 'x-cg-pro-api-key': '${COINGECKO_API_KEY}' } }] },

  // What is followed by itself: transactions after their broadcast, positions, the state of validators. Most looks a minute at the transactions of
  // a network, and as many at its positions; most positions a day that are read although nothing was expected of them, and although their digest is the same; most wallets and
  // transactions from elsewhere of an account. `follow: false` leaves it to other instances. Defaults as shown.
  life: {
    follow: true,
    looks_per_minute: 600,
    sweeps_per_day: 250,
    rereads_per_day: 12,
    watched_per_account: 10_000,
    tracked_per_account: 10_000,
  },

  // Where webhooks of customers may be sent, and how many. Addresses on this machine and in its network are refused unless they are allowed here,
  // which is for trying out alone: customers choose the addresses. The sandbox allows them.
  webhooks: { allow_private: false, ports: [443], max_per_account: 10, backlog: 10_000 },

  // Counters for Prometheus as text, on a port of their own, without a key: do not expose it. Default: nowhere.
  metrics: { host: '127.0.0.1', port: 9464 },

  // What /.well-known/security.txt says (RFC 9116): whom to tell of a vulnerability, and until when that holds. Default: there is none.
  security_txt: {
    contact: ['mailto:security@example.org'],
    expires: '2099-06-30',
    encryption: 'https://example.org/security.asc',
    acknowledgments: 'https://example.org/thanks',
    preferred_languages: ['en'],
    policy: 'https://example.org/security',
  },

  // RSA private key in PEM, at least 2048 bits, which signs every response. Default: one is made in the data folder at the first start;
  // with PostgreSQL it has to be given, since every replica needs the same one. To make one:
  //   openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048
  signing_key: '${SVC_SIGNING_KEY}',

  // Ed25519 keys that bind every response to its request: PEM, or the 32 bytes of a seed in base64url or hex; or `file`, relative to the
  // data folder. Exactly one is active and signs; one that is next or retired is published beside it, of which the public part is enough.
  // docs/operating.md says how to change it. Default: as for signing_key. To make one:
  //   openssl genpkey -algorithm ed25519
  response_keys: [{ key: '${SVC_RESPONSE_KEY}', state: 'active' }],

  // Secrets, at least 32 characters each, that key the tags of API keys and tokens. The first makes new ones, all are accepted: put a new
  // one in front to change it, and take the old one out once everything issued with it is replaced. Default: as for signing_key.
  peppers: ['${SVC_PEPPER}'],

  // PostgreSQL, which replicas share. Default: the variable DATABASE_URL; without that, an embedded database in the data folder.
  database_url: 'postgres://svc:${SVC_DATABASE_PASSWORD}@db.example.org:5432/svc',

  // Redis, so that replicas share the limits. Default: the variable REDIS_URL; without that, each replica limits on its own.
  redis_url: 'redis://redis.example.org:6379',

  // Folder of the embedded database and of the secrets that were made, relative to this file. Default: .svc
  data_dir: '.svc',

  // fatal, error, warn, info, debug, trace or silent. The log is JSON lines on stdout. Default: info.
  log_level: 'info',
})
