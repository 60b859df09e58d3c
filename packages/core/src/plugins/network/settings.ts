import { isServiceError, membersOf, type NetworkBase, parseAmount, SettingsError } from '@svc/contract'
import { type AnyKit, firstProblem } from '@svc/contract/host'
import { type TObject, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { NetworkSettings } from '../services.ts'

/** Declarations from which the settings follow. */
interface Declared {
  readonly kit: AnyKit
  readonly network: TObject
  readonly maxFee: string
  readonly symbol?: string
  readonly coins?: Readonly<Record<string, string>>
}

const PriceId = Type.Optional(
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    pattern: '^[A-Za-z0-9._-]{1,100}$',
    description:
      "The native token's id at the price source, for tvl_usd; null: none is asked for. Default: the plugin's, where it knows one.",
  }),
)

/** Makes the schema that a plugin's settings are checked against: the kit's and the protocol's own members, `max_fee`, and `price_id` where it has a token. */
export function settingsSchema(protocol: Declared): TObject {
  const own = protocol.network.properties
  const family = protocol.kit.network.properties
  return Type.Object(
    {
      ...family,
      ...own,
      max_fee: Type.String({
        default: protocol.maxFee,
        pattern: '^\\d+(\\.\\d+)?$',
        description: 'Most that a crafted transaction may cost in fees, in native tokens.',
      }),
      ...(protocol.coins ? { price_id: PriceId } : {}),
    },
    { additionalProperties: false },
  )
}

/** Makes the network as the plugin sees it: settings checked, defaults filled in, frozen. @throws SettingsError naming the path, the value and what would be right */
export function resolveNetwork<Net>(
  protocol: Declared & { validateSettings?(network: NetworkBase & Net): void },
  networkSettings: NetworkSettings,
): NetworkBase & Net {
  const schema = settingsSchema(protocol)
  const settings = { ...membersOf(Value.Default(schema, structuredClone(networkSettings.settings))) }
  const problem = firstProblem(schema, settings, networkSettings.path)
  if (problem) throw new SettingsError(problem)
  for (const [name, property] of Object.entries(schema.properties)) {
    const { items, 'x-address': isAddress } = membersOf(property)
    const canonical = (value: unknown) => withPath(networkSettings, name, () => protocol.kit.address(String(value)))
    if (isAddress && settings[name] !== undefined) settings[name] = canonical(settings[name])
    else if (membersOf(items)['x-address'] && Array.isArray(settings[name])) settings[name] = settings[name].map(canonical)
  }
  const maxFee = withPath(networkSettings, 'max_fee', () => parseAmount(String(settings.max_fee), protocol.kit.decimals, 'it'))
  const { decimals, symbol = protocol.symbol } = protocol.kit
  const token = { decimals, ...(symbol === undefined ? {} : { symbol }) }
  const network = Object.freeze({
    ...settings,
    name: networkSettings.name,
    chainId: networkSettings.chainId,
    ...token,
    maxFee,
  }) as NetworkBase & Net
  try {
    protocol.validateSettings?.(network)
  } catch (error) {
    throw error instanceof Error && error.name === 'SettingsError' ? new SettingsError(`${networkSettings.path}: ${error.message}`) : error
  }
  return network
}

/** Returns the id under which a network's token has a price, if any: the operator's, else the protocol's. */
export function priceIdOf({ coins }: Pick<Declared, 'coins'>, { chainId, settings }: NetworkSettings): string | null {
  if (!coins) return null
  const { price_id } = settings
  return typeof price_id === 'string' || price_id === null ? price_id : (coins[chainId] ?? null)
}

/** Runs a reader and reports its refusal as a setting that does not fit, with the setting's place. */
function withPath<T>(settings: NetworkSettings, name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (isServiceError(error)) throw new SettingsError(`${settings.path}.${name}: ${error.message}`)
    throw error
  }
}
