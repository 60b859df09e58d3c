import { addressFromEnd, type EvmScenario, evmEngine } from '@svc/sandbox-evm'
import { act, advanceEpoch, configure, control, epochOf, putStaking, stakingAddress } from './staking.ts'

export * from './staking.ts'

/** The operator's pool: sha256 of a public key of the mainnet genesis (read 2026-11-21). */
export const poolId = '0xaa6ddf1a61d8e4dce4b63737de9c188413c489a4b3e080dface9eca672650d62'
/** Owner of the operator's pool, and with one more in the last place each other pool's. They have no keys. */
export const poolOwners = Array.from({ length: 20 }, (_, index) => `0x${(0x9401_0000n + BigInt(index + 1)).toString(16).padStart(40, '0')}`)

/** 20 pools of 25 million PROS each: 500 million in all. The genesis had four million, for which the same rewards are 2,000 % a year. */
const stakeEach = 25_000_000n * 10n ** 18n
/** Commission of 10000. The default of the contract. Public contract sources (read 2026-11-21). */
const commission = 1_000

/** The parameter that says how many epochs lie between an exit and its payment. Public contract sources (read 2026-11-21). */
const withdrawWindow = 'staking.delegation_withdraw_effective_epoch'

/** Length of an epoch in seconds of the chain's clock: 4 hours. Mainnet genesis (read 2026-11-21). */
export const epochSeconds = 14_400

/**
 * Pharos with its staking contract and its parameters: 20 pools, of which the first is the operator's, in epoch 1, the first in which their
 * stake counts. Rewards are switched on; other parameters are those of the genesis. Advancing by epochs moves the clock by 14,400 seconds
 * for each; advancing by seconds passes the epochs that end in them.
 */
export const scenario: EvmScenario = {
  engine: evmEngine,
  chain: 'evm:1672',
  async install(chain) {
    await putStaking(chain)
    await configure(chain, 'chain.epoch_duration', String(epochSeconds * 1000))
    await configure(chain, 'chain.enable_pos_staking', 'true')
    await configure(chain, 'staking.min_delegator_stake', String(10n ** 18n))
    await configure(chain, 'staking.max_staking_pool_value', String(50_000_000n * 10n ** 18n))
    for (const [index, owner] of poolOwners.entries()) await control(chain, 'addPool', poolIdOf(index), owner, stakeEach, commission)

    await advanceEpoch(chain)
    // As the contract counts: epochs follow one another without a gap, and none is shorter.
    let epochBegan = (await chain.latest()).timestamp
    const pass = async () => {
      await advanceEpoch(chain)
      epochBegan += epochSeconds
    }
    chain.onAdvance(async (step) => {
      const epochs = 'epochs' in step ? step.epochs : 0
      for (let passed = 0; passed < epochs; passed++) {
        await chain.moveTime(epochSeconds)
        await pass()
      }
      // Time has moved already.
      if ('seconds' in step) for (const { timestamp } = await chain.latest(); epochBegan + epochSeconds <= timestamp; ) await pass()
      return { epoch: await epochOf(chain) }
    })
    return { settings: { staking: stakingAddress, pool_id: poolId } }
  },
  /** The last wallet has left and waited long enough, the one before it has staked for some epochs. */
  async stage(chain, wallets) {
    const [sender, address, left] = [addressFromEnd(wallets, 3), addressFromEnd(wallets, 2), addressFromEnd(wallets, 1)]
    for (const staker of [address, left]) await act(chain, staker, 'delegate', [poolId], 1_000n * 10n ** 18n)
    await chain.advance({ epochs: 1 })
    // The window is 84 epochs, and each takes a few calls: for this one exit it is shorter.
    await configure(chain, withdrawWindow, '1')
    await act(chain, left, 'undelegate', [poolId])
    await configure(chain, withdrawWindow, '')
    await chain.advance({ epochs: 2 })
    return {
      bodies: {
        delegate: { address, amount: 25.5 },
        undelegate: { address },
        withdraw: { address: left },
        'claim-rewards': { address },
        'compound-rewards': { address },
      },
      parameters: { address },
      sent: { action: 'delegate', body: { address: sender, amount: 25.5 } },
    }
  },
}

/** The operator's pool is the first; the others have numbers for identifiers. */
function poolIdOf(index: number): string {
  return index === 0 ? poolId : `0x${index.toString(16).padStart(64, '0')}`
}
