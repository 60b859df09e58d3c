import type { SandboxChain } from './chain.ts'
import type { ChainEngine } from './engine.ts'
import { SandboxError } from './error.ts'
import { present } from './present.ts'
import type { Scenario, Stage } from './scenario.ts'

/** Amount that each wallet is given on each chain, in native units: delegations are large. */
const walletAmount = '1000000'

/** Wallets with public test keys, by family; each family's package has their type. No member for a family without a chain. */
export type Wallets = Readonly<Record<string, readonly object[]>>

/** A chain that runs, and what started it. */
export interface Running {
  readonly engine: ChainEngine
  readonly chain: SandboxChain
}

/**
 * Starts every chain that a scenario names, once and by the engine of the first scenario that names it, all at the same time. If one fails, the others are closed.
 *
 * @returns by the chain's id, in the order of the scenarios
 * @throws SandboxError `INVALID_INPUT` for a chain that is not of its engine's family; what an engine can meet
 */
export async function startChains(scenarios: readonly Scenario[], log: (line: string) => void): Promise<ReadonlyMap<string, Running>> {
  const engines = new Map<string, ChainEngine>()
  for (const { chain, engine } of scenarios) if (!engines.has(chain)) engines.set(chain, engine)
  let loading: Promise<unknown> = Promise.resolve()
  const starts = await Promise.allSettled(
    [...engines].map(async ([id, engine]): Promise<Running> => {
      const chainId = chainIdOf(id, engine)
      if (engine.load !== undefined) {
        const loaded = loading.then(() => engine.load?.())
        loading = loaded.catch(() => {})
        await loaded
      }
      return { engine, chain: await engine.start({ chainId, log }) }
    }),
  )
  const failed = starts.find((start) => start.status === 'rejected')
  const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  if (failed === undefined) return new Map(started.map((running) => [running.chain.id, running]))
  await Promise.all(started.map(({ chain }) => chain.close()))
  throw failed.reason
}

/** Gives every wallet of every family its funds; on each chain in the order of the wallets, since a chain may make a block for each. */
export async function fundWallets(chains: Iterable<Running>): Promise<Wallets> {
  const families = new Map<string, { engine: ChainEngine; chains: SandboxChain[] }>()
  for (const { engine, chain } of chains) {
    const family = families.get(engine.family)
    if (family === undefined) families.set(engine.family, { engine, chains: [chain] })
    else family.chains.push(chain)
  }
  const funded = [...families].map(async ([family, { engine, chains }]): Promise<[string, readonly object[]]> => {
    const wallets = await engine.wallets(chains)
    const fund = async (chain: SandboxChain) => {
      for (const wallet of wallets) await chain.fund(engine.addressOf(wallet, chain), walletAmount)
    }
    await Promise.all(chains.map(fund))
    return [family, wallets]
  })
  return Object.fromEntries(await Promise.all(funded))
}

/** Runs the stages of scenarios: those of different chains at the same time, those of one chain one after the other. */
export async function stageAll(
  scenarios: readonly Scenario[],
  chains: ReadonlyMap<string, Running>,
  wallets: Wallets,
): Promise<(Stage | undefined)[]> {
  const turns = new Map<string, Promise<unknown>>()
  return Promise.all(
    scenarios.map((scenario) => {
      const { chain, engine } = present(chains.get(scenario.chain), `a chain ${scenario.chain}`)
      const own = present(wallets[engine.family], `wallets of ${engine.family}`)
      const staged = (turns.get(scenario.chain) ?? Promise.resolve()).then(() => scenario.stage?.(chain, own))
      turns.set(scenario.chain, staged)
      return staged
    }),
  )
}

/** Returns the part behind the family in a chain's id. */
function chainIdOf(id: string, { family }: ChainEngine): string {
  if (id.startsWith(`${family}:`) && id.length > family.length + 1) return id.slice(family.length + 1)
  throw new SandboxError('INVALID_INPUT', `chain ${id} is not of its engine’s family: its id must be ${family}: and the chain id`)
}
