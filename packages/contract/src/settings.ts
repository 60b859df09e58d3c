import { type TObject, type TProperties, Type } from 'typebox'
import { Value } from 'typebox/value'
import { parseAmount } from './amount.ts'
import { isServiceError } from './errors.ts'
import type { AnyKit, NetworkBase } from './kit.ts'
import { firstProblem } from './problem.ts'
import type { NetworkSettings } from './services.ts'

/** A setting that does not fit. `message` names where it stands and what would be right. */
export class SettingsError extends Error {
  readonly code = 'SETTINGS_INVALID'
  constructor(message: string) {
    super(message)
    this.name = 'SettingsError'
  }
}

/** What a plugin's settings are checked against: the kit's and the protocol's own members, and `max_fee`. */
export function settingsSchema(protocol: { kit: AnyKit; network: TObject; maxFee: string }): TObject {
  const own = protocol.network.properties as TProperties
  const family = protocol.kit.network.properties as TProperties
  return Type.Object(
    {
      ...family,
      ...own,
      max_fee: Type.String({
        default: protocol.maxFee,
        pattern: '^\\d+(\\.\\d+)?$',
        description: 'Most that a crafted transaction may cost in fees, in native tokens.',
      }),
    },
    { additionalProperties: false },
  )
}

/**
 * The network as the plugin sees it: settings checked, defaults filled in, frozen.
 *
 * @throws SettingsError naming the path, the value and what would be right
 */
export function resolveNetwork<Net>(
  protocol: { kit: AnyKit; network: TObject; maxFee: string; suits?(network: NetworkBase & Net): void },
  given: NetworkSettings,
): NetworkBase & Net {
  const schema = settingsSchema(protocol)
  const settings = Value.Default(schema, structuredClone(given.settings)) as Record<string, unknown>
  const problem = firstProblem(schema, settings, given.path)
  if (problem) throw new SettingsError(problem)
  for (const [name, property] of Object.entries(schema.properties as Record<string, Record<string, unknown>>)) {
    if (property['x-address'] && settings[name] !== undefined)
      settings[name] = withPath(given, name, () => protocol.kit.address(String(settings[name])))
  }
  const maxFee = withPath(given, 'max_fee', () => parseAmount(String(settings.max_fee), protocol.kit.decimals, 'it'))
  const network = Object.freeze({ ...settings, name: given.name, chainId: given.chainId, maxFee }) as NetworkBase & Net
  try {
    protocol.suits?.(network)
  } catch (error) {
    throw error instanceof Error && error.name === 'SettingsError' ? new SettingsError(`${given.path}: ${error.message}`) : error
  }
  return network
}

/** What a reader refuses is a setting that does not fit, and is told with its place. */
function withPath<T>(given: NetworkSettings, name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (isServiceError(error)) throw new SettingsError(`${given.path}.${name}: ${error.message}`)
    throw error
  }
}
