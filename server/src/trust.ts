import { dirname, resolve } from 'node:path'
import { membersOf } from '@svc/contract'
import { parseStrict } from '@svc/contract/host'
import { createAccounts, createSigner, discover, type LoadedConfig, loadSecrets, type PublicJwk, type ResponseJwk } from '@svc/core'
import { type PinnedTerms, resolveNetwork, termsOf } from '@svc/core/plugins'
import { Refusal } from './cli/refusal.ts'

/** A trust document: what a caller pins of this service. Its schema is `trust.schema.json` of `@svc/client`. */
export interface Trust {
  readonly version: 1
  readonly baseUrl: string
  readonly account: string
  /** Keys that bind answers to requests, and keys of `x-signature`. */
  readonly keys: readonly (PublicJwk | ResponseJwk)[]
  readonly protocols: readonly TrustProtocol[]
}

interface TrustProtocol {
  readonly path: string
  readonly networks: readonly { readonly default: boolean; readonly terms: PinnedTerms }[]
}

/**
 * Makes the trust document of one account: the keys that sign answers, and the terms of every network that it may use.
 *
 * @param file the config's
 * @throws Refusal, SettingsError
 */
export async function trustOf(file: string, { config, places }: LoadedConfig, account: string, baseUrl: string): Promise<Trust> {
  const accounts = createAccounts(config)
  if (!accounts.has(account)) throw new Refusal(`There is no account ${account}; the config has ${accounts.ids.join(', ') || 'none'}.`)
  const plugins = await discover(config, places)
  const {
    signingKeys: [privateKeyPem, ...further],
    responseKeys,
  } = await loadSecrets(config, resolve(dirname(file), config.data_dir))
  const protocols = plugins.flatMap(({ name, plugin: { protocol } }) => {
    // Without an intent there is nothing by which a caller could check it, and so nothing to pin.
    if (!protocol.intent) return []
    const networks = accounts.enabled(account, name).map(({ network, isDefault }) => ({
      default: isDefault,
      terms: termsOf(protocol, resolveNetwork(protocol, network)),
    }))
    return networks.length === 0 ? [] : [{ path: protocol.prefix, networks }]
  })
  const signer = createSigner({ privateKeyPem, further, responseKeys })
  // Of a retired key no answer of today is, and of the next one tomorrow's are.
  const binding = signer.responses.keys.filter(({ state }) => state !== 'retired').map(({ jwk }) => jwk)
  return { version: 1, baseUrl, account, keys: [...binding, ...signer.keys], protocols }
}

/**
 * Reads a trust document that was printed before.
 *
 * @param file its name, for sentences
 * @throws Refusal for what is none, and for what a client would read otherwise than this does
 */
export function readTrust(text: string, file: string): Trust {
  const none = new Refusal(`${file} is no trust document of version 1.`)
  let read: unknown
  try {
    read = parseStrict(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw /stands twice/.test(why) ? new Refusal(`${file} says two things: ${why}. Every reader takes another of the two.`) : none
  }
  const { version, keys, protocols } = membersOf(read)
  const isListed = (list: unknown, fits: (members: Readonly<Record<string, unknown>>) => boolean) =>
    Array.isArray(list) && list.every((each) => fits(membersOf(each)))
  const isWhole =
    version === 1 &&
    isListed(keys, ({ kid }) => typeof kid === 'string') &&
    isListed(
      protocols,
      ({ path, networks }) => typeof path === 'string' && isListed(networks, ({ terms }) => 'chainId' in membersOf(terms)),
    )
  if (!isWhole) throw none
  return read as Trust
}

/** Lists the differences between two trust documents, one sentence each: a person has to agree to them before the new document is pinned. */
export function differences(before: Trust, after: Trust): readonly string[] {
  const sentences: string[] = []
  const compare = (what: string, old: unknown, now: unknown) => {
    if (old !== now) sentences.push(`${what} was ${shown(old)} and is ${shown(now)}.`)
  }
  compare('the base URL', before.baseUrl, after.baseUrl)
  compare('the account', before.account, after.account)
  for (const { kid } of after.keys)
    if (!before.keys.some((key) => key.kid === kid)) sentences.push(`the key ${kid} signs answers, and did not before.`)
  for (const { kid } of before.keys)
    if (!after.keys.some((key) => key.kid === kid)) sentences.push(`the key ${kid} signs no answers any more.`)
  const [old, now] = [flat(before), flat(after)]
  for (const place of new Set([...old.keys(), ...now.keys()])) compare(place, old.get(place), now.get(place))
  return sentences
}

/** Every term by its place: `/evm-three/native on 143: validator_id`. */
function flat({ protocols }: Trust): ReadonlyMap<string, string | number | boolean> {
  return new Map(
    protocols.flatMap(({ path, networks }) =>
      networks.flatMap((network): (readonly [string, string | number | boolean])[] => [
        [`${path} on ${network.terms.chainId}: whether it is the default`, network.default],
        ...Object.entries(network.terms).map(
          ([name, value]) =>
            [`${path} on ${network.terms.chainId}: ${name}`, typeof value === 'object' ? value.join(', ') : value] as const,
        ),
      ]),
    ),
  )
}

function shown(value: unknown): string {
  return value === undefined ? 'not there' : JSON.stringify(value)
}
