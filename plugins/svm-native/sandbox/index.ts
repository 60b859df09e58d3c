import type { Scenario, SvmChain } from '@svc/sandbox'

const SOL = 1_000_000_000n

/** The operator's validator in these scenarios: its name, from which its keys follow. */
export const validatorName = 'svm-native'
/** Of the rewards from inflation, in basis points. */
export const commissionBps = 500
/** Lamports that others have delegated to it. */
export const delegatedByOthers = 250_000n * SOL

/** A cluster with the operator's validator, which has a commission of 5 %. An epoch pays rewards into the stake accounts. */
function scenarioOn(chainId: 'mainnet-beta' | 'devnet'): Scenario<SvmChain> {
  return {
    chain: `svm:${chainId}`,
    async install(chain) {
      const { vote } = await chain.createValidator({ name: validatorName, commissionBps, stake: delegatedByOthers })
      return { settings: { validator: vote } }
    },
  }
}

/** One for each cluster that the service knows. */
export const scenarios: readonly Scenario<SvmChain>[] = [scenarioOn('mainnet-beta'), scenarioOn('devnet')]

export const scenario: Scenario<SvmChain> = scenarios[0]!
