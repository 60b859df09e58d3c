import type { SandboxChain } from './chain.ts'
import type { ChainEngine } from './engine.ts'
import { present } from './present.ts'

/**
 * Scenario that a plugin's `sandbox/index.ts` exports as `scenario`: the local world its protocol lives in. Several scenarios may share a
 * chain. Each family's package has the type with its own chain and wallets.
 *
 * @example export const scenario: EvmScenario = { engine: evmEngine, chain: 'evm:143', … }
 */
export interface Scenario<Chain extends SandboxChain = SandboxChain, Wallet extends object = object> {
  /** Engine that starts the chain; of the family's package. */
  readonly engine: ChainEngine<Chain, Wallet>
  /** The chain it is put on; started once, however many scenarios name it. */
  readonly chain: Chain['id']
  /**
   * Prices in US dollars of coins that the sandbox's stand-in for a price service does not know, by id and as decimal text; made up, and never those of a
   * market. An id that it knows already keeps its price, and so does one that a scenario before has named.
   *
   * @example { near: '2.5' }
   */
  readonly prices?: Readonly<Record<string, string>>
  /**
   * Puts its contracts on the chain and registers its advance handler, or gives the chain its genesis. Scenarios of a chain are
   * installed one after the other, in their order, so that a later one finds the contracts of an earlier one.
   *
   * @returns what an operator would write for the plugin's network on that chain
   */
  install(chain: Chain): Promise<Installation>
  /**
   * Brings public wallets into states in which every action of the protocol succeeds: what the console's examples are about. Runs after the
   * wallets were funded, and only where it is asked for; the same in every run, down to ids and nonces, since signed transactions are among
   * the examples. The first wallet is left as it is, for whoever tries the sandbox out.
   *
   * @param wallets the engine's
   */
  stage?(chain: Chain, wallets: readonly Wallet[]): Promise<Stage>
}

/** Requests for which the wallets of a stage are ready. */
export interface Stage {
  /** Bodies with which the actions succeed, by action. */
  readonly bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Parameters of the paths of reads, by name. */
  readonly parameters: Readonly<Record<string, string | number>>
  /** The transaction that is shown signed, by a wallet that sends nothing on this chain but this one. */
  readonly sent: {
    readonly action: string
    readonly body: Readonly<Record<string, unknown>>
    /** A nonce account that takes the place of the block hash, where the action takes none itself. */
    readonly nonce?: string
  }
}

/** Returns the last two wallets, which a stage brings into its states. @throws Error when there are fewer */
export function lastTwo<Wallet>(wallets: readonly Wallet[]): readonly [Wallet, Wallet] {
  return [present(wallets.at(-2), 'two wallets'), present(wallets.at(-1), 'a wallet')]
}

/** Settings that an operator would write for a network: its settings, and endpoint groups besides the chain's own. */
export interface Installation {
  readonly settings: Record<string, unknown>
  /** URLs by group, of servers that the scenario closes with the chain. */
  readonly endpoints?: Readonly<Record<string, readonly string[]>>
}

/** A scenario with its chain in a test's hands. */
export interface ObservedScenario<Chain extends SandboxChain, Wallet extends object> {
  /** The same scenario, to be started in place of the one it was made of. */
  readonly scenario: Scenario<Chain, Wallet>
  /** The chain that it was put on last. @throws Error before it was installed */
  chain(): Chain
}

/**
 * Makes a copy of a scenario that also gives access to the chain that it is installed on: for tests that look at what no caller sees, or do what no caller can.
 *
 * @param prepare runs on the chain before the scenario is installed
 */
export function observe<Chain extends SandboxChain, Wallet extends object>(
  scenario: Scenario<Chain, Wallet>,
  prepare: (chain: Chain) => void = () => {},
): ObservedScenario<Chain, Wallet> {
  let latest: Chain | undefined
  return {
    scenario: {
      ...scenario,
      install(chain) {
        latest = chain
        prepare(chain)
        return scenario.install(chain)
      },
    },
    chain() {
      if (latest === undefined) throw new Error(`the scenario of ${scenario.chain} was put on no chain yet`)
      return latest
    },
  }
}
