import { addressFromEnd, type EvmChain, type EvmScenario, evmEngine } from '@svc/sandbox-evm'
import { act, addValidator, drive, epochChange, epochOf, putStaking, rewardSet, snapshot, stakingAddress } from './staking.ts'

export * from './staking.ts'

/** The operator's validator in this scenario. */
export const validatorId = 12
/** Its auth account, and with one more in the last place each other validator's. They have no keys. */
export const validatorAccounts = Array.from({ length: 120 }, (_, index) => validatorAccount(index + 1))

const mon = 10n ** 18n
/** 120 validators of 100 million MON each: 12 billion in all, about what the network has, and more than one page of the set. */
const stakeEach = 100_000_000n * mon
const commission = mon / 10n

/**
 * Blocks of an epoch, and of its last part, the delay period (5,000 rounds; here a round is a block).
 *
 * @see https://docs.monad.xyz/reference/staking/overview (read 2026-11-21)
 */
const epochBlocks = 50_000
const delayBlocks = 5_000
/** Block time and block reward: consensus parameters of the node since July 2026, in its source code (state of August 2026; the public pages still said 25 MON). */
const blockSeconds = 0.3
const rewardPerBlock = 18n * mon

/** Length of an epoch in seconds of the chain's clock: 4 hours and 10 minutes. */
export const epochSeconds = epochBlocks * blockSeconds
/** When, in seconds since an epoch began, its delay period begins. */
export const delayStartsAfter = (epochBlocks - delayBlocks) * blockSeconds

/** The chain that was installed last. */
let installed: EvmChain | undefined
/** The operator's own withdrawal slot that is taken next. */
let freeSlot = 255

/** Does something while the operator's validator has too little stake of its own and is about to leave the active set, on the chain that was installed last. */
export async function whileLeaving(run: () => Promise<void>): Promise<void> {
  if (installed === undefined) throw new Error('the scenario was installed on no chain yet')
  const [chain, account, most] = [installed, validatorAccount(validatorId), stakeEach - mon]
  await chain.fund(account, most + 10n * mon)
  // A slot of its own each time: none is paid out here.
  await act(chain, account, 'undelegate', [validatorId, most, freeSlot--])
  try {
    await run()
  } finally {
    await act(chain, account, 'delegate', [validatorId], most)
  }
}

/**
 * Monad with its staking precompile: 120 validators, of which number 12 is the operator's, in epoch 2, the first in which
 * they are in the set. The epoch began at the block of the installation. Advancing by epochs moves the clock by 15,000
 * seconds for each; advancing by seconds passes the boundaries that lie in them. Each epoch pays its blocks' rewards, nine
 * tenths of them before the delay period.
 */
export const scenario: EvmScenario = {
  engine: evmEngine,
  chain: 'evm:143',
  async install(chain) {
    installed = chain
    await putStaking(chain)
    const validators = validatorAccounts.map((account, index) => addValidator(index + 1, account, commission, stakeEach))
    await drive(chain, ...validators, snapshot(), epochChange())

    let epochBegan = (await chain.latest()).timestamp
    chain.onAdvance(async (step) => {
      const epochs = 'epochs' in step ? step.epochs : 0
      for (let passed = 0; passed < epochs; passed++) {
        await chain.moveTime(epochSeconds)
        epochBegan = await passBoundaries(chain, epochBegan)
      }
      // Time has moved already.
      if ('seconds' in step) epochBegan = await passBoundaries(chain, epochBegan)
      const { epoch, inDelayPeriod } = await epochOf(chain)
      return { epoch, in_delay_period: inDelayPeriod }
    })
    return {
      settings: {
        staking: stakingAddress,
        validator_id: validatorId,
        block_seconds: blockSeconds,
        // The chain's own least price is not modelled: anvil tells one of some gwei.
        gas_price_least: 0,
        reward_per_block: String(rewardPerBlock / mon),
      },
    }
  },
  /** The last wallet but one has staked for two epochs, and has a matured slot. The last one is the liquid pool's. */
  async stage(chain, wallets) {
    const [sender, address] = [addressFromEnd(wallets, 3), addressFromEnd(wallets, 2)]
    await act(chain, address, 'delegate', [validatorId], 1_000n * mon)
    await chain.advance({ epochs: 2 })
    await act(chain, address, 'undelegate', [validatorId, 100n * mon, 7])
    await chain.advance({ epochs: 2 })
    return {
      bodies: {
        delegate: { address, amount: 25.5 },
        undelegate: { address, amount: 10, withdrawId: 8 },
        withdraw: { address, withdrawId: 7 },
        'claim-rewards': { address },
        compound: { address },
      },
      parameters: { address, withdrawId: 7 },
      sent: { action: 'delegate', body: { address: sender, amount: 25.5 } },
    }
  },
}

/**
 * Lets happen what became due since an epoch began.
 *
 * @returns when the epoch began that it is now
 */
async function passBoundaries(chain: EvmChain, epochBegan: number): Promise<number> {
  const { timestamp } = await chain.latest()
  let { inDelayPeriod } = await epochOf(chain)
  let began = epochBegan
  for (;;) {
    if (!inDelayPeriod && timestamp >= began + delayStartsAfter) {
      await drive(chain, rewardSet(rewardPerBlock * BigInt(epochBlocks - delayBlocks)), snapshot())
      inDelayPeriod = true
    } else if (inDelayPeriod && timestamp >= began + epochSeconds) {
      await drive(chain, rewardSet(rewardPerBlock * BigInt(delayBlocks)), epochChange())
      inDelayPeriod = false
      began += epochSeconds
    } else {
      return began
    }
  }
}

function validatorAccount(id: number): string {
  return `0x${(0xa11da70000n + BigInt(id)).toString(16).padStart(40, '0')}`
}
