import type { LedgerTest, WalletLife } from '@svc/conformance'
import { paidFees } from '@svc/testing/evm-moves'
import { Interface } from 'ethers'
import { stakingAbi, stakingAddress, validatorId } from '../../sandbox/index.ts'
import { rpc } from './crowd.ts'

const staking = new Interface(stakingAbi)
const MON = 10n ** 18n
/** Slots that lives use: few, so that they are used again. */
const SLOTS = [0, 7, 255]

/** Everything that happens to delegators on Monad, at random, and what they have by the contract itself. */
export const ledger: LedgerTest = {
  steps: [
    {
      name: 'delegates',
      run: ({ player, random }) => acted(player.act('delegate', { amount: `${1 + random(900)}.${'0'.repeat(17)}${1 + random(9)}` })),
    },
    {
      name: 'delegates by another front end',
      run: (life) => by(life, 'delegate', [validatorId], BigInt(1 + life.random(500)) * MON + BigInt(life.random(1_000))),
    },
    {
      name: 'undelegates',
      run: ({ player, random }) =>
        acted(player.act('undelegate', { amount: `${1 + random(300)}.000000000000000003`, withdrawId: slotOf(random) })),
    },
    {
      name: 'undelegates by another front end',
      run: (life) => by(life, 'undelegate', [validatorId, BigInt(1 + life.random(200)) * MON + 1n, slotOf(life.random)]),
    },
    { name: 'withdraws', run: (life) => by(life, 'withdraw', [validatorId, slotOf(life.random)]) },
    {
      name: 'withdraws every slot',
      run: async (life) => void (await Promise.allSettled(SLOTS.map((slot) => by(life, 'withdraw', [validatorId, slot])))),
    },
    { name: 'claims', run: ({ player }) => acted(player.act('claim-rewards')) },
    { name: 'claims by another front end', run: (life) => by(life, 'claimRewards', [validatorId]) },
    { name: 'compounds', run: ({ player }) => acted(player.act('compound')) },
    { name: 'compounds by another front end', run: (life) => by(life, 'compound', [validatorId]) },
    { name: 'lets an epoch pass', run: async ({ player }) => void (await player.advance({ epochs: 1 })) },
    { name: 'lets three epochs pass', run: async ({ player }) => void (await player.advance({ epochs: 3 })) },
    { name: 'comes into the delay period', run: async ({ player }) => void (await player.advance({ seconds: 13_600 })) },
  ],
  async wealth({ player, rpcUrl }) {
    const { address } = player.wallet
    const view = async (method: string, args: readonly unknown[]) =>
      staking.decodeFunctionResult(
        method,
        await rpc<string>(rpcUrl, 'eth_call', [{ to: stakingAddress, data: staking.encodeFunctionData(method, args) }, 'latest']),
      )
    const { stake, unclaimedRewards, deltaStake, nextDeltaStake } = await view('getDelegator', [validatorId, address])
    const slots = await Promise.all(
      SLOTS.map(async (slot) => BigInt((await view('getWithdrawalRequest', [validatorId, address, slot])).withdrawalAmount)),
    )
    const balance = BigInt(await rpc<string>(rpcUrl, 'eth_getBalance', [address, 'latest']))
    return (
      balance +
      stake +
      unclaimedRewards +
      deltaStake +
      nextDeltaStake +
      slots.reduce((sum, each) => sum + each, 0n) +
      (await paidFees(rpcUrl, address))
    )
  },
  finalise: async ({ operate }) => void (await operate('mine', { blocks: 4 })),
}

async function by({ player, rpcUrl }: WalletLife, method: string, args: readonly unknown[], value = 0n): Promise<void> {
  await elsewhere(rpcUrl, player.wallet.address, method, args, value)
}

/** A call of the precompile in an address's name, past any service. @param value wei @throws Error when the chain refuses it */
export async function elsewhere(rpcUrl: string, from: string, method: string, args: readonly unknown[], value = 0n): Promise<void> {
  const call = { from, to: stakingAddress, data: staking.encodeFunctionData(method, args), value: `0x${value.toString(16)}` }
  await rpc(rpcUrl, 'anvil_impersonateAccount', [from])
  // An estimate is refused with what the call would be refused with; half as much again, since a second later it may take another way.
  const gas = (BigInt(await rpc<string>(rpcUrl, 'eth_estimateGas', [call])) * 3n) / 2n
  const { status } = await rpc<{ status: string }>(rpcUrl, 'eth_sendTransactionSync', [{ ...call, gas: `0x${gas.toString(16)}` }])
  if (status !== '0x1') throw new Error(`${method} reverted`)
}

function slotOf(random: WalletLife['random']): number {
  return SLOTS[random(SLOTS.length)] ?? 0
}

async function acted(act: Promise<unknown>): Promise<void> {
  await act
}
