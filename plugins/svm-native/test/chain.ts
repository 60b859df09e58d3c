import type { Scenario, SvmChain } from '@svc/sandbox'

/** The same scenario, and the chain that it was put on, to change what a caller cannot. */
export function onChain(scenario: Scenario<SvmChain>): { scenario: Scenario<SvmChain>; chain(): SvmChain } {
  let found: SvmChain | undefined
  return {
    scenario: {
      chain: scenario.chain,
      install: (chain) => {
        found = chain
        return scenario.install(chain)
      },
    },
    chain: () => found!,
  }
}

/** Writes into the data of an account past every rule. */
export function poke(chain: SvmChain, address: string, change: (data: Buffer) => void): void {
  const data = Buffer.from(chain.account(address)!.data)
  change(data)
  chain.setAccount(address, { data })
}
