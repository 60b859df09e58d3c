import { evmFamily, startStage } from '@svc/conformance'
import type { EvmChain, Scenario } from '@svc/sandbox'
import { scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'

/** The plugin in a running service on its scenario, and the chain itself for what nobody can do through the service. */
export async function startObserved(settings: Readonly<Record<string, unknown>> = {}) {
  let chain: EvmChain | undefined
  const observed: Scenario = {
    chain: scenario.chain,
    install(started) {
      chain = started
      return scenario.install(started)
    },
  }
  const stage = await startStage({ plugin, scenario: observed, family: evmFamily, settings })
  return { stage, chain: chain! }
}
