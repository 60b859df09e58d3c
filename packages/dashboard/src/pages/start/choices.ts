import { parseUnits } from '@svc/verify/intent'
import type { Protocol } from '../../api/protocols.ts'
import type { DemoWallet, Sandbox } from '../../api/sandbox.ts'

/** What can be staked here: a protocol on one of its networks, for the first demo wallet. */
export interface Choice {
  /** `evm-three 143`: one word for a list. */
  readonly id: string
  /** Short name of the plugin. */
  readonly protocol: string
  readonly title: string
  readonly family: string
  readonly symbol: string
  /** Of the native token. */
  readonly decimals: number
  /** Value for X-NETWORK. */
  readonly network: string
  /** Among the sandbox's chains: `evm:143`. */
  readonly chain: string
  /** Name of the action that stakes. */
  readonly action: string
  /** Its path, from the service's root. */
  readonly path: string
  /** Member of the body that names who signs, and its value. */
  readonly signer: string
  readonly signs: string
  /** Where the position is looked up. */
  readonly address: string
  /** Least that can be staked, decimal text; null where there is no bound. */
  readonly least: string | null
  readonly wallet: DemoWallet
  /** Another wallet's address, whose signature must not do; null when there is one wallet. */
  readonly other: string | null
}

/** What the action that stakes is called, by protocols' own words. */
const STAKES = ['delegate', 'stake']

/** What can be staked with what the sandbox has, in the order of `known`, protocols that the page can check. */
export function choicesOf(protocols: readonly Protocol[], sandbox: Sandbox, known: readonly string[]): readonly Choice[] {
  return known.flatMap((name) => {
    const protocol = protocols.find((each) => each.protocol === name)
    const action = protocol?.actions.find((each) => STAKES.includes(each.name))
    if (!protocol || !action) return []
    const { title, family, signer } = protocol
    return protocol.networks.flatMap(({ network, staking_info, terms }) => {
      const chain = `${family}:${network}`
      const [wallet, second] = sandbox.wallets.filter((each) => each.family === family)
      const address = wallet?.addresses[chain]
      const signs = signer === 'pubkey' ? wallet?.public_key : address
      if (!wallet || !address || !signs || terms === null || !sandbox.chains.some((each) => each.chain === chain)) return []
      const one: Choice = {
        id: `${name} ${network}`,
        protocol: name,
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

/** What a chain is called by people: by the first protocol on it, and its own id. */
export function chainName(chain: string, choices: readonly Choice[]): string {
  const first = choices.find((each) => each.chain === chain)
  return first ? `${first.symbol} · ${chain}` : chain
}

/** Why an amount cannot be asked for; null when it can. What the chain says of it, the service tells. */
export function wrongAmount(text: string): string | null {
  if (text.trim() === '') return 'Enter an amount.'
  if (!/^\d+(\.\d+)?$/.test(text.trim())) return 'Write it as a decimal number, such as 100 or 0.5, with a point and without groups.'
  return /[1-9]/.test(text) ? null : 'It has to be more than nothing.'
}

/** What is suggested: a hundred, or the least that can be staked where that is more. */
export function suggested({ least, decimals }: Choice): string {
  const units = least === null ? null : parseUnits(least, decimals)
  return least !== null && units !== null && units > 100n * 10n ** BigInt(decimals) ? least : '100'
}
