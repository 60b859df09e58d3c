import { startStage } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import { observe } from '@svc/sandbox'
import { scenario } from '../sandbox/index.ts'
import plugin from '../src/index.ts'

/** The plugin in a running service on its scenario, and the chain itself for what nobody can do through the service. */
export async function startObserved(settings: Readonly<Record<string, unknown>> = {}) {
  const observed = observe(scenario)
  const stage = await startStage({ plugin, scenario: observed.scenario, family: evmFamily, settings })
  return { stage, chain: observed.chain() }
}
