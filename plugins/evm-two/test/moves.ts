import type { MovesAct, MovesEvent, MovesTest, WalletLife } from '@svc/conformance'
import type { EvmChain } from '@svc/sandbox-evm'
import { evmEvents, evmFee, someWei, written } from '@svc/testing/evm-moves'
import { Interface } from 'ethers'
import { configure, control, epochOf, epochSeconds, genesisInflation, poolId, stakingAbi, stakingAddress } from '../sandbox/index.ts'

const PROS = 10n ** 18n
/** Parameters of the chain, as the contract names them. */
const WINDOW = 'staking.delegation_withdraw_effective_epoch'
const LARGEST_POOL = 'staking.max_staking_pool_value'
/** What the scenario sets. */
const ROOMY = String(50_000_000n * PROS)
const staking = new Interface(stakingAbi)

/** A record of the contract, as far as it is read here. In wei. */
interface Delegator {
  readonly stake: bigint
  readonly pendingStake: bigint
  readonly pendingWithdrawStake: bigint
  readonly isPendingUndelegate: boolean
}

/** What moves for a delegator on Pharos, for conformance's group `moves`. The books are the staking contract's own records, read past every kit. */
export function moves(chain: () => EvmChain): MovesTest {
  const view = async (method: string, args: readonly unknown[]) => {
    const result = staking.decodeFunctionResult(
      method,
      await chain().call({ to: stakingAddress, data: staking.encodeFunctionData(method, args) }),
    )
    return result.length === 1 ? result[0] : result
  }
  const some = ({ random }: WalletLife) => someWei(random, 900)
  const act = (name: string, action: string, body: MovesAct['body'] = async () => ({})): MovesAct => ({ name, action, body })
  const event = (name: string, run: MovesEvent['run'], more: Partial<MovesEvent> = {}): MovesEvent => ({ name, run, ...more })
  const recordOf = async (address: string): Promise<Delegator> => (await view('getDelegator', [poolId, address])).toObject()
  /** What can be done now; else it would only be refused once more. */
  const where =
    (
      holds: (now: Delegator & { readonly isFree: boolean; readonly isDue: boolean; readonly rewards: bigint }) => boolean,
      body: MovesAct['body'] = async () => ({}),
    ): MovesAct['body'] =>
    async (life) => {
      const { address } = life.player.wallet
      const record = await recordOf(address)
      const { canActivateNow } = await view('getPendingStakeInfo', [poolId, address])
      const epoch = await epochOf(chain())
      const rewards = BigInt(await view('getDelegatorReward', [poolId, address]))
      const isFree = (record.pendingStake === 0n || canActivateNow) && !record.isPendingUndelegate
      const exits: readonly { readonly unlockEpoch: bigint }[] = await view('getUserPendingUndelegations', [address])
      const isDue = exits.length > 0 && exits.every(({ unlockEpoch }) => unlockEpoch <= BigInt(epoch))
      if (!holds({ ...record, isFree, isDue, rewards, stake: record.stake + record.pendingStake }))
        throw new RangeError('there is nothing to act on')
      return body(life)
    }
  return {
    acts: [
      act(
        'delegates an exact amount',
        'delegate',
        where(
          ({ isFree }) => isFree,
          async (life) => ({ amount: written.exactly(some(life)) }),
        ),
      ),
      act(
        'delegates what a double reads',
        'delegate',
        where(
          ({ isFree }) => isFree,
          async (life) => ({ amount: written.byDouble(some(life)) }),
        ),
      ),
      act(
        'delegates the least',
        'delegate',
        where(
          ({ isFree }) => isFree,
          async () => ({ amount: 1 }),
        ),
      ),
      act(
        'undelegates',
        'undelegate',
        where(({ isFree, stake }) => isFree && stake > 0n),
      ),
      act(
        'withdraws',
        'withdraw',
        where(({ isDue }) => isDue),
      ),
      act(
        'claims',
        'claim-rewards',
        where(({ rewards }) => rewards > 0n),
      ),
      act(
        'compounds',
        'compound-rewards',
        where(({ isFree, rewards }) => isFree && rewards > 0n),
      ),
    ],
    events: [
      event('an epoch passes', ({ player }) => player.advance({ epochs: 1 })),
      event('four hours pass', ({ player }) => player.advance({ seconds: epochSeconds })),
      event('some epochs pass', ({ player, random }) => player.advance({ epochs: 2 + random(3) })),
      ...evmEvents(chain),
      event('exits take another time', ({ random }) => configure(chain(), WINDOW, String(1 + random(3)))),
      event('inflation changes', ({ random }) => control(chain(), 'setInflation', genesisInflation.supply, BigInt(1 + random(20_000)))),
      event('another stakes with the pool', async ({ player, random }) => {
        const { address } = player.newcomer().wallet
        await chain().fund(address, '100')
        await by(chain(), address, 'delegate', BigInt(1 + random(50)) * PROS + 1n)
      }),
      event('its rewards are settled by another front end', ({ player }) => by(chain(), player.wallet.address, 'settleReward')),
      event('it claims by another front end', ({ player }) => by(chain(), player.wallet.address, 'claimReward')),
      event(
        'the pool has hardly any room',
        async ({ random }) => {
          const { totalStake } = await view('getValidator', [poolId])
          await configure(chain(), LARGEST_POOL, String(BigInt(totalStake) + BigInt(1 + random(60)) * PROS + 7n))
        },
        // More than there is room for comes back at once.
        { differs: true },
      ),
      event('the pool has room again', () => configure(chain(), LARGEST_POOL, ROOMY)),
    ],
    async book({ player: { wallet } }) {
      const { stake, pendingStake, pendingWithdrawStake } = await recordOf(wallet.address)
      return { holds: { native: await chain().balance(wallet.address) }, staked: stake + pendingStake, freed: pendingWithdrawStake }
    },
    fee: (_life, txHash) => evmFee(chain(), txHash),
  }
}

/** A call in an address's name, past the service. @param value wei */
async function by(chain: EvmChain, from: string, method: string, value = 0n): Promise<void> {
  await chain.send({ from, to: stakingAddress, data: staking.encodeFunctionData(method, [poolId]), value })
}
