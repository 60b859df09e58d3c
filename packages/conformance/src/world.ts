import { itemsOf, membersOf } from '@svc/contract'
import { type Fault, type Scenario, type Step, startSandbox } from '@svc/sandbox'
import { shown } from './check.ts'
import type { AnyFamily } from './family.ts'
import { present } from './present.ts'
import type { Wallet } from './wallet.ts'

/** The local chain that a plugin is tested on. */
export interface World {
  readonly rpcUrl: string
  /** X-NETWORK of the chain. */
  readonly chainId: string
  /** Settings of the plugin's network, from its scenario. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Endpoint groups besides the chain's own, from its scenario. */
  readonly endpoints: Readonly<Record<string, readonly string[]>>
  /** A wallet that nothing was done with yet. */
  freshWallet(family: AnyFamily): Wallet
  fund(address: string, amount: string): Promise<void>
  /** @returns the state after it, as the scenario tells it */
  advance(step: Step): Promise<Record<string, unknown>>
  fault(fault: Fault): Promise<void>
  /** Any operation of the chain's control port. @returns the state after it. @throws when it is refused */
  operate(name: string, body?: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>
  /** Names of all operations of the chain's control port. */
  operations(): Promise<readonly string[]>
  close(): Promise<void>
}

/** Starts the chain of a scenario. @throws SandboxError */
export async function startWorld(scenario: Scenario): Promise<World> {
  const sandbox = await startSandbox({ scenarios: [scenario], controlPort: 0 })
  const [kind, ...rest] = scenario.chain.split(':')
  const chainId = rest.join(':')
  let wallets = 0

  async function control(operation: string, body: unknown): Promise<Record<string, unknown>> {
    const response = await fetch(`${sandbox.controlUrl}/chains/${kind}/${chainId}/${operation}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    const answer = membersOf(await response.json())
    if (!response.ok) throw new SandboxRefusal(`the sandbox refused ${operation} ${shown(body)}: ${shown(answer.error)}`)
    return answer
  }

  return {
    rpcUrl: present(sandbox.chains[scenario.chain], `a chain ${scenario.chain}`).rpcUrl,
    chainId,
    settings: present(sandbox.settings[0], 'settings of the scenario'),
    endpoints: present(sandbox.endpoints[0], 'endpoints of the scenario'),
    freshWallet: (family) => family.wallet(wallets++),
    fund: async (address, amount) => void (await control('fund', { address, amount })),
    advance: (step) => control('advance', step),
    fault: async (fault) => void (await control('fault', fault)),
    operate: (name, body = {}) => control(name, body),
    async operations() {
      const { chains } = membersOf(await (await fetch(present(sandbox.controlUrl, 'a control port'))).json())
      const own = itemsOf(chains)
        .map(membersOf)
        .find(({ id }) => id === scenario.chain)
      return Object.keys(membersOf(own?.operations)).map((path) => path.slice(path.lastIndexOf('/') + 1))
    },
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
