import { lastTwo, type SvmScenario, svmEngine } from '@svc/sandbox-svm'

const SOL = 1_000_000_000n

/** The operator's validator in these scenarios: its name, from which its keys follow. */
export const validatorName = 'svm-native'
/** Commission on the rewards from inflation, in basis points. */
export const commissionBps = 500
/** Lamports that others have delegated to it. */
export const delegatedByOthers = 250_000n * SOL

/** A cluster with the operator's validator, which has a commission of 5 %. An epoch pays rewards into the stake accounts. */
function scenarioOn(chainId: 'mainnet-beta' | 'devnet'): SvmScenario {
  let vote = ''
  return {
    engine: svmEngine,
    chain: `svm:${chainId}`,
    async install(chain) {
      ;({ vote } = await chain.createValidator({ name: validatorName, commissionBps, stake: delegatedByOthers }))
      return { settings: { validator: vote } }
    },
    /** The last wallet but one has a stake at work, one that has cooled down, and a nonce account; the last one has a nonce account. */
    async stage(chain, wallets) {
      const [wallet_address, sender] = lastTwo(wallets.map(({ address }) => address))
      const stake = (name: string, cooledDown: boolean) =>
        chain.giveStake({ name: `example ${name}`, wallet: wallet_address, vote, amount: 100n * SOL, cooledDown })
      const nonce_account_address = chain.giveNonce('example', wallet_address)
      return {
        bodies: {
          'create-nonce-account': { wallet_address },
          stake: { wallet_address, nonce_account_address, amount: 25.5, sign: true },
          unstake: { wallet_address, stake_account_address: stake('at work', false), nonce_account_address },
          withdraw: { wallet_address, stake_account_address: stake('cooled down', true), nonce_account_address, amount: 40 },
          'close-nonce-account': { wallet_address, account_address: nonce_account_address },
        },
        parameters: { address: wallet_address },
        sent: {
          action: 'stake',
          body: { wallet_address: sender, nonce_account_address: chain.giveNonce('example sent', sender), amount: 25.5, sign: false },
        },
      }
    },
  }
}

export const scenario: SvmScenario = scenarioOn('mainnet-beta')

/** One for each cluster that the service knows. */
export const scenarios: readonly SvmScenario[] = [scenario, scenarioOn('devnet')]
