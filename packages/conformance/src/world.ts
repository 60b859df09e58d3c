import { type AnyScenario, type Fault, type Step, startSandbox } from '@svc/sandbox'
import { shown } from './check.ts'
import type { AnyFamily, Wallet } from './family.ts'

/** The local chain that a plugin is tested on. */
export interface World {
  readonly rpcUrl: string
  /** X-NETWORK of the chain. */
  readonly chainId: string
  /** Settings of the plugin's network, from its scenario. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Endpoint groups beside the chain's own, from its scenario. */
  readonly endpoints: Readonly<Record<string, readonly string[]>>
  /** A wallet that nothing was done with yet. */
  freshWallet(family: AnyFamily): Wallet
  fund(address: string, amount: string): Promise<void>
  /** @returns the state after it, as the scenario tells it */
  advance(step: Step): Promise<Record<string, unknown>>
  fault(fault: Fault): Promise<void>
  close(): Promise<void>
}

/** Starts the chain of a scenario. @throws SandboxError */
export async function startWorld(scenario: AnyScenario): Promise<World> {
  const sandbox = await startSandbox({ scenarios: [scenario], controlPort: 0 })
  const [kind, ...rest] = scenario.chain.split(':')
  const chainId = rest.join(':')
  let wallets = 0

  async function control(operation: string, body: unknown): Promise<Record<string, unknown>> {
    const response = await fetch(`${sandbox.controlUrl}/chains/${kind}/${chainId}/${operation}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as Record<string, unknown>
    if (!response.ok) throw new SandboxRefusal(`the sandbox refused ${operation} ${shown(body)}: ${shown(answer.error)}`)
    return answer
  }

  return {
    rpcUrl: sandbox.chains[scenario.chain]!.rpcUrl,
    chainId,
    settings: sandbox.settings[0]!,
    endpoints: sandbox.endpoints[0]!,
    freshWallet: (family) => family.wallet(wallets++),
    fund: async (address, amount) => void (await control('fund', { address, amount })),
    advance: (step) => control('advance', step),
    fault: async (fault) => void (await control('fault', fault)),
    close: () => sandbox.close(),
  }
}

class SandboxRefusal extends Error {
  readonly code = 'SANDBOX_REFUSED'
  constructor(message: string) {
    super(message)
    this.name = 'SandboxRefusal'
  }
}
