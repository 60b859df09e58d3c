import type { SandboxChain } from './chain.ts'
import { type Control, startControl } from './control.ts'
import { CosmosChain, startCosmosChain } from './cosmos/cosmos-chain.ts'
import { type CosmosWallet, cosmosWallets } from './cosmos/wallets.ts'
import { SandboxError } from './error.ts'
import { EvmChain, startEvmChain } from './evm-chain.ts'
import { MoveChain, type MoveWallet, moveWallets, startMoveChain } from './move/index.ts'
import type { AnyScenario, Installed } from './scenario.ts'
import { SvmChain, type SvmWallet, startSvmChain, svmWallets } from './svm/index.ts'
import { fundedWallets, type TestWallet, walletAmount } from './wallets.ts'

/** A running sandbox: chains, their scenarios, and the control port. */
export interface Sandbox {
  readonly controlUrl: string
  /** Wallets with public test keys, by family, funded on every chain of it; none for a family without a chain. */
  readonly wallets: {
    readonly evm: readonly TestWallet[]
    readonly cosmos: readonly CosmosWallet[]
    readonly svm: readonly SvmWallet[]
    readonly move: readonly MoveWallet[]
  }
  /** By chain id, as in `evm:143` and `cosmos:celestia`. */
  readonly chains: Readonly<Record<string, { readonly rpcUrl: string }>>
  /** Network settings of each scenario, in the order they were given. */
  readonly settings: readonly Record<string, unknown>[]
  /** Endpoint groups of each scenario's network beside the chain's own, in the same order. */
  readonly endpoints: readonly Readonly<Record<string, readonly string[]>>[]
  close(): Promise<void>
}

/** How often real time is let in, when it is. */
const clockInterval = 30_000

/**
 * Starts every chain that a scenario names, once; installs the scenarios in order; funds the wallets; opens the control port.
 * If a part fails, what was started before it is closed.
 *
 * @param options.controlPort 0 for any free one
 * @param options.clock true lets epochs pass by themselves with real time. @default false: time moves when it is told to
 * @throws SandboxError
 */
export async function startSandbox(options: {
  scenarios: readonly AnyScenario[]
  controlPort: number
  clock?: boolean
  log?: (line: string) => void
}): Promise<Sandbox> {
  const log = options.log ?? (() => {})
  const chains = await startChains(options.scenarios, log)
  const all = [...chains.values()]
  let control: Control | undefined
  try {
    const installed: Installed[] = []
    for (const scenario of options.scenarios) installed.push(await install(scenario, chains.get(scenario.chain)!))
    const wallets = await fundWallets(all)
    control = await startControl({ port: options.controlPort, chains: all })
    log(`control port: ${control.url}`)
    const stopClock = options.clock === true ? startClock(all, log) : () => {}
    return {
      controlUrl: control.url,
      wallets,
      chains: Object.fromEntries(all.map((chain) => [chain.id, { rpcUrl: chain.rpcUrl }])),
      settings: installed.map(({ settings }) => settings),
      endpoints: installed.map(({ endpoints = {} }) => endpoints),
      async close() {
        stopClock()
        await Promise.all([control?.close(), ...all.map((chain) => chain.close())])
      },
    }
  } catch (error) {
    await Promise.all([control?.close(), ...all.map((chain) => chain.close())])
    throw error
  }
}

async function startChains(scenarios: readonly AnyScenario[], log: (line: string) => void): Promise<Map<string, SandboxChain>> {
  const ids = [...new Set(scenarios.map((scenario) => scenario.chain))]
  // Chains of these families load their libraries as they start, and two libraries that are loaded at once can fail over what both need:
  // ERR_REQUIRE_ESM_RACE_CONDITION of Node 24.21, met with libraries that share @scure/base (2026-11-21).
  let before: Promise<unknown> = Promise.resolve()
  const starts = await Promise.allSettled(
    ids.map((id) => {
      if (!/^(svm|move):/.test(id)) return startChain(id, log)
      const start = before.then(() => startChain(id, log))
      before = start.catch(() => {})
      return start
    }),
  )
  const failed = starts.find((start) => start.status === 'rejected')
  const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  if (failed === undefined) return new Map(started.map((chain) => [chain.id, chain]))
  await Promise.all(started.map((chain) => chain.close()))
  throw failed.reason
}

async function startChain(id: string, log: (line: string) => void): Promise<SandboxChain> {
  const evmId = /^evm:([1-9]\d*)$/.exec(id)?.[1]
  if (evmId !== undefined) return startEvmChain({ chainId: Number(evmId), log })
  const cosmosId = /^cosmos:(.+)$/.exec(id)?.[1]
  if (cosmosId !== undefined) return startCosmosChain({ chainId: cosmosId, log })
  const svmId = /^svm:(.+)$/.exec(id)?.[1]
  if (svmId !== undefined) return startSvmChain({ chainId: svmId, log })
  const moveId = /^move:(.+)$/.exec(id)?.[1]
  if (moveId !== undefined) return startMoveChain({ chainId: moveId, log })
  const names = 'evm:143, cosmos:cosmoshub-4, svm:mainnet-beta or move:mainnet'
  throw new SandboxError('NOT_SUPPORTED', `no local chain for ${id}: a scenario names its chain as ${names}`)
}

/** The chain was started by the scenario's own id, so that it is of its family. */
async function install(scenario: AnyScenario, chain: SandboxChain): Promise<Installed> {
  return (scenario.install as (chain: SandboxChain) => Promise<Installed>).call(scenario, chain)
}

async function fundWallets(chains: readonly SandboxChain[]): Promise<Sandbox['wallets']> {
  const evm = chains.filter((chain) => chain instanceof EvmChain)
  for (const chain of evm) for (const { address } of fundedWallets) await chain.fund(address, walletAmount)
  const cosmos = chains.filter((chain) => chain instanceof CosmosChain)
  const prefixes = cosmos.map(({ id, prefix }) => ({ id, prefix }))
  const wallets = cosmos.length === 0 ? [] : await cosmosWallets(prefixes)
  for (const chain of cosmos) for (const { addresses } of wallets) await chain.fund(addresses[chain.id]!, walletAmount)
  const svm = chains.filter((chain) => chain instanceof SvmChain)
  for (const chain of svm) for (const { address } of svmWallets) await chain.fund(address, walletAmount)
  const move = chains.filter((chain) => chain instanceof MoveChain)
  for (const chain of move) for (const { address } of moveWallets) await chain.fund(address, walletAmount)
  return {
    evm: evm.length === 0 ? [] : fundedWallets,
    cosmos: wallets,
    svm: svm.length === 0 ? [] : svmWallets,
    move: move.length === 0 ? [] : moveWallets,
  }
}

/** Lets every chain notice the time, one round after the other, never holding the process open. */
function startClock(chains: readonly SandboxChain[], log: (line: string) => void): () => void {
  let running = false
  const timer = setInterval(async () => {
    if (running) return
    running = true
    for (const chain of chains) {
      await chain.tick?.().catch((error: Error) => log(`${chain.id}: the clock could not move it on: ${error.message}`))
    }
    running = false
  }, clockInterval)
  timer.unref()
  return () => clearInterval(timer)
}
