import type { ProtocolPlugin } from '@svc/contract'
import type { Config, ResponseKeyState } from './schema.ts'

type PluginConfig = Config['plugins'][string]
type NetworkConfig = PluginConfig['networks'][string]
type EndpointConfig = NetworkConfig['endpoints'][string][number]

/** The config as an operator writes it: what has a default may be left out, and a plugin may be named by its module. */
export interface ConfigInput {
  readonly listen?: Partial<Config['listen']>
  readonly workers?: number
  readonly public_url?: string
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
              readonly agreement?: 1 | 2
              readonly hedge?: boolean
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
  readonly prices?: { readonly endpoints: readonly EndpointConfig[] }
  readonly life?: Partial<Config['life']>
  readonly webhooks?: Partial<Omit<Config['webhooks'], 'ports'>> & { readonly ports?: readonly number[] }
  readonly metrics?: { readonly host?: string; readonly port: number }
  readonly security_txt?: Omit<NonNullable<Config['security_txt']>, 'contact' | 'preferred_languages'> & {
    readonly contact: readonly string[]
    readonly preferred_languages?: readonly string[]
  }
  readonly signing_key?: string | readonly string[]
  readonly response_keys?: readonly ResponseKeyInput[]
  readonly peppers?: readonly string[]
  readonly database_url?: string
  readonly redis_url?: string
  readonly data_dir?: string
  readonly log_level?: Config['log_level']
}

/** One of `response_keys`: the key itself, or a file with it. */
type ResponseKeyInput = { readonly state: ResponseKeyState } & ({ readonly key: string } | { readonly file: string })

/** Returns a config unchanged; it gives a config that is a module its type. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config
}
