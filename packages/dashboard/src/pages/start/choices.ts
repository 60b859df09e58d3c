import { parseUnits } from '@svc/verify/intent'
import type { Protocol, ProtocolAction } from '../../api/protocols.ts'
import type { DemoWallet, Sandbox } from '../../api/sandbox.ts'
import type { IntentEntry } from '../../realm/intent-list.ts'

/** Choice of what can be staked here: a protocol on one of its networks, for the first demo wallet. */
export interface Choice {
  /** Protocol and network: one word for a list. */
  readonly id: string
  /** Short name of the plugin. */
  readonly protocol: string
  /** Path from the service's root. */
  readonly protocolPath: string
  /** The script of its intent. */
  readonly entry: IntentEntry
  readonly title: string
  readonly family: string
  readonly symbol: string
  /** Decimals of the native token. */
  readonly decimals: number
  /** Value for X-NETWORK. */
  readonly network: string
  /** Among the sandbox's chains: family and network, with a colon between. */
  readonly chain: string
  /** Name of the action that stakes. */
  readonly action: string
  /** Path from the service's root. */
  readonly path: string
  /** Member of the body that names who signs, and its value. */
  readonly signer: string
  readonly signs: string
  /** Address at which the position is looked up. */
  readonly address: string
  /** Least that can be staked, decimal text; null where there is no bound. */
  readonly least: string | null
  readonly wallet: DemoWallet
  /** Another wallet's address, whose signature must not do; null when there is one wallet. */
  readonly other: string | null
}

/** Lists what can be staked with what the sandbox has, in the service's order: protocols whose intents are here. */
export function choicesOf(protocols: readonly Protocol[], sandbox: Sandbox, entries: readonly IntentEntry[]): readonly Choice[] {
  return protocols.flatMap((protocol) => {
    const { protocol: name, path, title, family, signer } = protocol
    const entry = entries.find(({ plugins }) => plugins.includes(name))
    const action = stakingAction(protocol)
    if (!entry || !action) return []
    return protocol.networks.flatMap(({ network, staking_info, terms }) => {
      const chain = `${family}:${network}`
      const [wallet, second] = sandbox.wallets.filter((each) => each.family === family)
      const address = wallet?.addresses[chain]
      // A wallet has a public key where crafts take that instead of an address.
      const signs = wallet?.public_key ?? address
      if (!wallet || !address || !signs || terms === null || !sandbox.chains.some((each) => each.chain === chain)) return []
      const one: Choice = {
        id: `${name} ${network}`,
        protocol: name,
        protocolPath: path,
        entry,
        title: protocol.networks.length > 1 ? `${title}, ${network}` : title,
        family,
        symbol: protocol.symbol ?? '',
        decimals: Number(terms.decimals),
        network,
        chain,
        action: action.name,
        path: action.path,
        signer,
        signs,
        address,
        least: staking_info?.min_stake_amount ?? null,
        wallet,
        other: second?.addresses[chain] ?? null,
      }
      return [one]
    })
  })
}

/** Names of protocols that cannot be staked with here, since the page has no intent of theirs. */
export function uncheckable(protocols: readonly Protocol[], entries: readonly IntentEntry[]): readonly string[] {
  return protocols.flatMap(({ protocol, title }) => (entries.some(({ plugins }) => plugins.includes(protocol)) ? [] : [title]))
}

/** The action that stakes: the first that takes an amount, and nothing else that must be there but who signs. */
function stakingAction({ actions, signer }: Protocol): ProtocolAction | undefined {
  return actions.find(({ input }) => {
    const required = input.filter((each) => each.required)
    return (
      required.some(({ name, amount }) => amount && name === 'amount') && required.every(({ name, amount }) => amount || name === signer)
    )
  })
}

/** Returns the name of a chain for people: by the first protocol on it, and its own id. */
export function chainName(chain: string, choices: readonly Choice[]): string {
  const first = choices.find((each) => each.chain === chain)
  return first ? `${first.symbol} · ${chain}` : chain
}

/** Tells why an amount cannot be asked for; null when it can. What the chain says of it, the service tells. */
export function wrongAmount(text: string): string | null {
  if (text.trim() === '') return 'Enter an amount.'
  if (!/^\d+(\.\d+)?$/.test(text.trim())) return 'Write it as a decimal number, such as 100 or 0.5, with a point and without groups.'
  return /[1-9]/.test(text) ? null : 'It has to be more than nothing.'
}

/** Returns the suggested amount: a hundred, or the least that can be staked where that is more. */
export function suggested({ least, decimals }: Choice): string {
  const units = least === null ? null : parseUnits(least, decimals)
  return least !== null && units !== null && units > 100n * 10n ** BigInt(decimals) ? least : '100'
}
