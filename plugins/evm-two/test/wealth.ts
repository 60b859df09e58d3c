import type { LedgerTest, WalletLife } from '@svc/conformance'
import type { EvmChain } from '@svc/sandbox-evm'
import { paidFees, someWei, written } from '@svc/testing/evm-moves'
import { Interface } from 'ethers'
import { configure, control, genesisInflation, poolId, stakingAbi, stakingAddress } from '../sandbox/index.ts'

/** The parameter that says how many epochs lie between an exit and its payment. */
const WINDOW = 'staking.delegation_withdraw_effective_epoch'
const staking = new Interface(stakingAbi)

/** Everything that happens to delegators on Pharos, at random, and what they have by the contract itself. */
export function ledger(chain: () => EvmChain): LedgerTest {
  const elsewhere = ({ player }: WalletLife, method: string, value = 0n) => by(chain(), player.wallet.address, method, value)
  const view = async (method: string, args: readonly unknown[]) =>
    staking.decodeFunctionResult(method, await chain().call({ to: stakingAddress, data: staking.encodeFunctionData(method, args) }))
  return {
    async begin() {
      await configure(chain(), WINDOW, '1')
    },
    steps: [
      {
        name: 'delegates',
        run: async ({ player, random }) => void (await player.act('delegate', { amount: written.exactly(someWei(random, 900)) })),
      },
      { name: 'delegates by another front end', run: (life) => elsewhere(life, 'delegate', someWei(life.random, 500)) },
      // An exit takes everything along: it is as rare as all that needs stake is frequent.
      {
        name: 'undelegates, by one front end or another',
        run: async (life) => void (await (life.random(2) === 0 ? life.player.act('undelegate') : elsewhere(life, 'undelegate'))),
      },
      { name: 'withdraws by another front end', run: (life) => elsewhere(life, 'claimStake') },
      {
        name: 'waits an epoch for its exit, and withdraws',
        run: async ({ player }) => {
          await player.advance({ epochs: 1 })
          await player.act('withdraw')
        },
      },
      { name: 'claims', run: async ({ player }) => void (await player.act('claim-rewards')) },
      { name: 'claims by another front end', run: (life) => elsewhere(life, 'claimReward') },
      { name: 'compounds', run: async ({ player }) => void (await player.act('compound-rewards')) },
      { name: 'compounds by another front end', run: (life) => elsewhere(life, 'compoundRewards') },
      { name: 'settles, of which nothing is told', run: (life) => elsewhere(life, 'settleReward') },
      { name: 'lets an epoch pass', run: async ({ player }) => void (await player.advance({ epochs: 1 })) },
      { name: 'lets three epochs pass', run: async ({ player }) => void (await player.advance({ epochs: 3 })) },
      {
        name: 'earns at another rate',
        run: ({ random }) => control(chain(), 'setInflation', genesisInflation.supply, BigInt(1 + random(20_000))),
      },
      {
        name: 'sees the pool take another commission',
        run: ({ random }) => control(chain(), 'setCommission', poolId, BigInt(random(2_000))),
      },
      {
        name: 'is beside another delegator',
        async run({ player, random }) {
          const { address } = player.newcomer().wallet
          await chain().fund(address, '100')
          await by(chain(), address, 'delegate', someWei(random, 50))
        },
      },
    ],
    async wealth({ player, rpcUrl }) {
      const { address } = player.wallet
      const { pendingStake, stake, pendingWithdrawStake } = (await view('getDelegator', [poolId, address]))[0].toObject()
      return (
        (await chain().balance(address)) +
        stake +
        pendingStake +
        pendingWithdrawStake +
        (await claimable(chain(), address)) +
        (await paidFees(rpcUrl, address))
      )
    },
    finalise: async ({ operate }) => void (await operate('mine', { blocks: 12 })),
  }
}

/** What a claim would pay now, by the contract itself. */
async function claimable(chain: EvmChain, from: string): Promise<bigint> {
  try {
    const data = staking.encodeFunctionData('claimReward', [poolId])
    return BigInt(staking.decodeFunctionResult('claimReward', await chain.call({ from, to: stakingAddress, data }))[0])
  } catch (error) {
    if (String(error).includes('No rewards to claim')) return 0n
    throw error
  }
}

/** A call in an address's name, past the service. @param value wei */
async function by(chain: EvmChain, from: string, method: string, value: bigint): Promise<void> {
  await chain.send({ from, to: stakingAddress, data: staking.encodeFunctionData(method, [poolId]), value })
}
