import type { SandboxChain } from './chain.ts'
import { type Control, startControl } from './control.ts'
import { type Custodian, createCustodian } from './custodian.ts'
import type { Fault } from './fault.ts'
import { membersOf } from './members.ts'
import { type AdvanceListener, chainNamed, checkBody, offeredBy, operationNamed, operationsOf } from './operations.ts'
import { present } from './present.ts'
import { type PricesServer, startPrices } from './prices.ts'
import { fundWallets, stageAll, startChains, type Wallets } from './running.ts'
import type { Installation, Scenario, Stage } from './scenario.ts'

/** A running sandbox: chains, their scenarios, and the control port. */
export interface Sandbox {
  readonly controlUrl: string
  /** Address of the prices of native tokens: a service with CoinGecko's `simple/price`. */
  readonly pricesUrl: string
  /** Wallets with public test keys, by family, funded on every chain of it; no member for a family without a chain. */
  readonly wallets: Wallets
  /** Chains by chain id, as in `evm:143` and `cosmos:celestia`. */
  readonly chains: Readonly<Record<string, { readonly rpcUrl: string }>>
  /** Network settings of each scenario, in the order they were given. */
  readonly settings: readonly Record<string, unknown>[]
  /** Endpoint groups of each scenario's network besides the chain's own, in the same order. */
  readonly endpoints: readonly Readonly<Record<string, readonly string[]>>[]
  /** Stages of the scenarios, in the same order; undefined where a scenario has nothing to stage, or was not asked to. */
  readonly stages: readonly (Stage | undefined)[]
  /** Custodian that stands in for the one of the wallets. */
  readonly custodian: Custodian
  /** Returns the state of each chain, in the order of `chains`. */
  states(): Promise<readonly ChainState[]>
  /**
   * Does to a chain what the control port does.
   *
   * @param body as the control port takes it, read as JSON
   * @returns what the control port answers
   * @throws SandboxError `NOT_FOUND` without such a chain or operation, `INVALID_INPUT`, `NOT_SUPPORTED`; what the chain can meet
   */
  operate(chain: string, operation: string, body: unknown): Promise<Record<string, unknown>>
  /** Has somebody told whenever a chain was moved on by an operation, before that is answered. */
  onAdvance(listener: AdvanceListener): void
  close(): Promise<void>
}

/** State of a chain. */
export interface ChainState {
  /** As in `evm:143`. */
  readonly chain: string
  /** Operations on the chain, each with an example of its body. */
  readonly operations: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Number of the latest block; null where the chain does not say. */
  readonly block: number | null
  /** Time of the latest block; null where the chain does not say. */
  readonly time: Date | null
  /** The epoch, where the chain has one and says it; else null. */
  readonly epoch: number | null
  /** The fault that is switched on; null when there is none. */
  readonly fault: Fault | null
}

/** Interval at which real time is let in, when it is. */
const clockInterval = 30_000
/** Interval at which a chain that rests between transactions may make a block on top of them. */
const growInterval = 500

/**
 * Starts every chain that a scenario names, once; installs the scenarios in order; funds the wallets; opens the control port.
 * If a part fails, what was started before it is closed.
 *
 * @param options.controlPort 0 for any free one
 * @param options.stage true brings wallets into the states of the console's examples. @default false: all wallets are as new
 * @param options.clock true lets epochs pass by themselves with real time. @default false: time moves when it is told to
 * @throws SandboxError
 */
export async function startSandbox(options: {
  scenarios: readonly Scenario[]
  controlPort: number
  clock?: boolean
  stage?: boolean
  log?: (line: string) => void
}): Promise<Sandbox> {
  const log = options.log ?? (() => {})
  const chains = await startChains(options.scenarios, log)
  const all = [...chains.values()].map(({ chain }) => chain)
  let control: Control | undefined
  let prices: PricesServer | undefined
  try {
    const installed: Installation[] = []
    for (const scenario of options.scenarios)
      installed.push(await scenario.install(present(chains.get(scenario.chain), `a chain ${scenario.chain}`).chain))
    const wallets = await fundWallets(chains.values())
    const stages = options.stage === true ? await stageAll(options.scenarios, chains, wallets) : options.scenarios.map(() => undefined)
    prices = await startPrices({ port: 0 })
    for (const { prices: own = {} } of options.scenarios)
      for (const [id, usd] of Object.entries(own)) if (prices.prices()[id] === undefined) prices.set(id, usd)
    const listeners: AdvanceListener[] = []
    const advanced: AdvanceListener = async (chain, time) => {
      for (const listener of listeners) await listener(chain, time)
    }
    control = await startControl({ port: options.controlPort, chains: all, prices, advanced })
    log(`control port: ${control.url}`)
    const byId = new Map<string, SandboxChain>(all.map((chain) => [chain.id, chain]))
    const stopClock = options.clock === true ? startClock(all, log) : () => {}
    return {
      controlUrl: control.url,
      pricesUrl: prices.url,
      wallets,
      chains: Object.fromEntries(all.map((chain) => [chain.id, { rpcUrl: chain.rpcUrl }])),
      settings: installed.map(({ settings }) => settings),
      endpoints: installed.map(({ endpoints = {} }) => endpoints),
      stages,
      custodian: createCustodian(chains.values(), wallets),
      states: () => Promise.all(all.map(stateOf)),
      async operate(id, name, body) {
        const operation = operationNamed(operationsOf(chainNamed(byId, id), advanced), name)
        return operation.run(checkBody(body, name, operation))
      },
      onAdvance: (listener) => void listeners.push(listener),
      async close() {
        stopClock()
        await Promise.all([control?.close(), prices?.close(), ...all.map((chain) => chain.close())])
      },
    }
  } catch (error) {
    await Promise.all([control?.close(), prices?.close(), ...all.map((chain) => chain.close())])
    throw error
  }
}

/** A chain that does not answer just now, as while it is closed, says nothing of its blocks. */
async function stateOf(chain: SandboxChain): Promise<ChainState> {
  const { block, timestamp, epoch } = membersOf(await Promise.resolve(chain.latest?.()).catch(() => undefined))
  return {
    chain: chain.id,
    operations: Object.fromEntries(Object.entries(offeredBy(chain)).map(([name, { example }]) => [name, example])),
    block: typeof block === 'number' ? block : null,
    time: typeof timestamp === 'number' ? new Date(timestamp * 1000) : null,
    epoch: typeof epoch === 'number' ? epoch : null,
    fault: chain.faulted?.() ?? null,
  }
}

/** Lets every chain notice the time. */
function startClock(chains: readonly SandboxChain[], log: (line: string) => void): () => void {
  const stops = [
    inRounds(clockInterval, chains, log, (chain) => chain.tick?.()),
    inRounds(growInterval, chains, log, (chain) => chain.grow?.()),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** One round over the chains after the other, never holding the process open. */
function inRounds(
  interval: number,
  chains: readonly SandboxChain[],
  log: (line: string) => void,
  move: (chain: SandboxChain) => Promise<void> | undefined,
): () => void {
  const failing = new Set<string>()
  let running = false
  const timer = setInterval(async () => {
    if (running) return
    running = true
    for (const chain of chains) {
      try {
        await move(chain)
        failing.delete(chain.id)
      } catch (error) {
        // Said once, and not each half second.
        if (!failing.has(chain.id)) log(`${chain.id}: the clock could not move it on: ${(error as Error).message}`)
        failing.add(chain.id)
      }
    }
    running = false
  }, interval)
  timer.unref()
  return () => clearInterval(timer)
}
