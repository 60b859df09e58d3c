import { addressFromEnd, type EvmChain, type EvmScenario, evmEngine } from '@svc/sandbox-evm'
import {
  control,
  coreControl,
  deposit,
  drive,
  hasOwnValidators,
  magmaAccount,
  putValidators,
  putVault,
  requestIdOf,
  requestRedeem,
  reward,
  stakingAddress,
  totalAssets,
  vaultAddress,
} from './vault.ts'

export * from './vault.ts'

const mon = 10n ** 18n

/** Validators that the pool's stake is with; on a chain with native staking they are registered there too. */
export const poolValidatorIds = [11, 12, 13]
/** The vault's own delay of redemptions, in seconds. The real one has no getter and may differ. */
export const redeemDelay = 6 * 3600
/** Fees in basis points. The real ones may differ. */
export const rewardsFee = 1_000
export const withdrawalFee = 10
/** Least that a redemption must be worth, in wei. */
export const minWithdrawal = mon
/** Longest time for which the claim of the validators' rewards may be missing, in seconds. */
export const maxClaimDelay = 30 * 86_400

/**
 * Blocks of an epoch and their time and reward: consensus parameters of the node since July 2026, in its source code (state of August 2026).
 *
 * @see https://docs.monad.xyz/reference/staking/overview (read 2026-11-21)
 */
const epochBlocks = 50_000
const blockSeconds = 0.3
const rewardPerBlock = 18n * mon
/** Stake of the whole network that shares these rewards, about what it has. */
const networkStake = 12_000_000_000n * mon
/** Commission of the pool's validators, in percent. */
const commission = 10n
/** Length of an epoch in seconds of the chain's clock: 4 hours and 10 minutes. */
export const epochSeconds = epochBlocks * blockSeconds

/** Stake of others in the pool, and their earnings: a share is worth 1.1 MON. */
const seed = 900_000n * mon
const earned = 100_000n * mon

/**
 * Magma's pool on Monad, with a price of 1.1 MON that grows by every epoch's rewards when the chain advances. On a chain whose native staking
 * was installed too, the epochs are that one's and it moves the clock; alone, this scenario puts what it needs of the staking precompile and
 * moves the clock by 15,000 seconds for an epoch.
 */
export const scenario: EvmScenario = {
  engine: evmEngine,
  chain: 'evm:143',
  async install(chain) {
    await putVault(chain)
    await putValidators(chain)
    await drive(
      chain,
      control('setRedeemDelay', redeemDelay),
      control('setFees', rewardsFee, withdrawalFee),
      coreControl('setValidators', poolValidatorIds),
      coreControl('setMinUserWithdrawAmount', minWithdrawal),
      coreControl('setMaxRewardsClaimDelay', maxClaimDelay),
    )
    await deposit(chain, magmaAccount, seed)
    await drive(chain, reward(earned))

    let paidUntil = (await chain.latest()).timestamp
    chain.onAdvance(async (step) => {
      let epochs = 0
      if ('epochs' in step) {
        epochs = step.epochs
        if (await hasOwnValidators(chain)) await chain.moveTime(epochs * epochSeconds)
      } else {
        const { timestamp } = await chain.latest()
        epochs = Math.max(0, Math.floor((timestamp - paidUntil) / epochSeconds))
      }
      paidUntil += epochs * epochSeconds
      if (epochs > 0) await payRewards(chain, epochs)
    })
    return {
      settings: {
        vault: vaultAddress,
        staking: stakingAddress,
        block_seconds: blockSeconds,
        // The chain's own least price is not modelled: anvil tells one of some gwei.
        gas_price_least: 0,
        reward_per_block: String(rewardPerBlock / mon),
      },
    }
  },
  /** The last two wallets are in the pool, and the last has a request that has matured. */
  async stage(chain, wallets) {
    // The third is evm-three's sender, where that is installed too.
    const [sender, address, leaving] = [addressFromEnd(wallets, 4), addressFromEnd(wallets, 2), addressFromEnd(wallets, 1)]
    for (const owner of [address, leaving]) await deposit(chain, owner, 1_000n * mon)
    await requestRedeem(chain, leaving, 100n * mon)
    await chain.advance({ epochs: 3 })
    return {
      bodies: {
        delegate: { address, amount: 100 },
        undelegate: { address, amount: 10 },
        withdraw: { address: leaving, request_id: await requestIdOf(chain, leaving) },
      },
      parameters: { address: leaving },
      sent: { action: 'delegate', body: { address: sender, amount: 100 } },
    }
  },
}

/** The pool's share of the rewards of some epochs, each on top of those before, less commission; the pool takes its own fee. */
async function payRewards(chain: EvmChain, epochs: number): Promise<void> {
  const before = await totalAssets(chain)
  const perEpoch = (rewardPerBlock * BigInt(epochBlocks) * (100n - commission)) / 100n
  let gross = 0n
  for (let assets = before, epoch = 0; epoch < epochs; epoch++) {
    const paid = (assets * perEpoch) / networkStake
    gross += paid
    assets += paid - (paid * BigInt(rewardsFee)) / 10_000n
  }
  if (gross > 0n) await drive(chain, reward(gross))
}
