import type { MovesAct, MovesEvent, MovesTest, WalletLife } from '@svc/conformance'
import { evmEvents, evmFee, someWei, stakedWei, written } from '@svc/testing/evm-moves'
import { Interface } from 'ethers'
import { stakingAbi, stakingAddress, validatorId } from '../../sandbox/index.ts'
import { rpc } from './crowd.ts'
import { elsewhere } from './wealth.ts'

const GWEI = 10n ** 9n
/** Slots that lives use: few, so that they are used again. */
const SLOTS = [0, 7, 255]
const staking = new Interface(stakingAbi)

/** What moves for a delegator on Monad, for conformance's group `moves`. The books are the precompile's own records, read past every kit. */
export const moves: MovesTest = {
  acts: [
    act('delegates an exact amount', 'delegate', async ({ random }) => ({ amount: written.exactly(someWei(random, 900)) })),
    act('delegates what a double reads', 'delegate', async ({ random }) => ({ amount: written.byDouble(someWei(random, 900)) })),
    act('delegates the least', 'delegate', async () => ({ amount: written.exactly(GWEI) })),
    act('undelegates a part', 'undelegate', (life) => leaving(life, (all) => written.exactly((all * BigInt(1 + life.random(99))) / 100n))),
    act('undelegates all', 'undelegate', (life) => leaving(life, written.exactly)),
    act('undelegates all by a double', 'undelegate', (life) => leaving(life, written.byDouble)),
    act('undelegates all but dust', 'undelegate', (life) =>
      leaving(life, (all) => written.exactly(all - 1n - BigInt(life.random(10 ** 9 - 1)))),
    ),
    act('undelegates all but the least', 'undelegate', (life) => leaving(life, (all) => written.exactly(all - GWEI))),
    act('withdraws', 'withdraw', async (life) => ({ withdrawId: await slotOf(life, (amount) => amount > 0n) })),
    act('claims', 'claim-rewards'),
    act('compounds', 'compound'),
  ],
  events: [
    ...evmEvents(chainOf),
    event('an epoch passes', ({ player }) => player.advance({ epochs: 1 })),
    event('three epochs pass', ({ player }) => player.advance({ epochs: 3 })),
    event('the delay period begins', ({ player }) => player.advance({ seconds: 13_600 })),
    event('it delegates by another front end', (life) => by(life, 'delegate', [validatorId], someWei(life.random, 500))),
    event('it claims by another front end', (life) => by(life, 'claimRewards', [validatorId])),
    event('it leaves by another front end', async (life) =>
      by(life, 'undelegate', [validatorId, GWEI + BigInt(life.random(10 ** 9)), await slotOf(life, (amount) => amount === 0n)]),
    ),
  ],
  async book(life) {
    const { address } = life.player.wallet
    const { stake, deltaStake, nextDeltaStake } = await view(life, 'getDelegator', [validatorId, address])
    const freed = await Promise.all(SLOTS.map((slot) => requested(life, slot)))
    return {
      holds: { native: BigInt(await rpc<string>(life.rpcUrl, 'eth_getBalance', [address, 'latest'])) },
      staked: stake + deltaStake + nextDeltaStake,
      freed: freed.reduce((sum, each) => sum + each, 0n),
    }
  },
  fee: (life, txHash) => evmFee(chainOf(life), txHash),
}

function chainOf({ rpcUrl }: Pick<WalletLife, 'rpcUrl'>) {
  return { rpc: (method: string, params: readonly unknown[] = []) => rpc(rpcUrl, method, params) }
}

function act(name: string, action: string, body: MovesAct['body'] = async () => ({})): MovesAct {
  return { name, action, body }
}

function event(name: string, run: MovesEvent['run']): MovesEvent {
  return { name, run }
}

/** A body of an exit: an amount that follows from the whole stake, and a slot that is free. */
async function leaving(life: WalletLife, amount: (all: bigint) => unknown) {
  return { amount: amount(await stakedWei(life)), withdrawId: await slotOf(life, (waits) => waits === 0n) }
}

/** One of the slots of which the amount is such. @throws RangeError where none is */
async function slotOf(life: WalletLife, is: (amount: bigint) => boolean): Promise<number> {
  for (const slot of SLOTS) if (is(await requested(life, slot))) return slot
  throw new RangeError('there is no such slot')
}

async function requested(life: WalletLife, slot: number): Promise<bigint> {
  return BigInt((await view(life, 'getWithdrawalRequest', [validatorId, life.player.wallet.address, slot])).withdrawalAmount)
}

async function view({ rpcUrl }: WalletLife, method: string, args: readonly unknown[]) {
  const call = { to: stakingAddress, data: staking.encodeFunctionData(method, args) }
  return staking.decodeFunctionResult(method, await rpc<string>(rpcUrl, 'eth_call', [call, 'latest']))
}

function by({ player, rpcUrl }: WalletLife, method: string, args: readonly unknown[], value = 0n): Promise<void> {
  return elsewhere(rpcUrl, player.wallet.address, method, args, value)
}
