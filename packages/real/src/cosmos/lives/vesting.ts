import { MsgCreatePeriodicVestingAccount } from 'cosmjs-types/cosmos/vesting/v1beta1/tx'
import type { Report } from '../../report.ts'
import { createJudge } from '../judge.ts'
import { walletOf } from '../keys.ts'
import { send } from '../messages.ts'
import type { Player } from '../player.ts'
import { createSender } from '../sender.ts'

/** Who makes somebody else's fresh address an account of many periods. */
export const GRANTER = 'granter'

/** Periods of the account: one a day, for a year. */
const PERIODS = 365
/** Seconds of each of them. */
const DAY = 86_400n
const TOKEN = 1_000_000n
/** Gas of making it, with room: 481,000 were used (gaiad v29, 2026-11-28). */
const GAS = 2_000_000n

/** Stakes, claims and leaves with an account that the chain keeps in thousands of bytes: each transaction reads and writes all of them. */
export async function vestingLife(report: Report, player: Player): Promise<void> {
  const { chain } = player
  const { denom, prefix } = chain.family
  const [granter, owner] = [chain.wallet(GRANTER), walletOf('owner of many periods', prefix)]
  const sender = createSender(chain)
  const judge = createJudge(report, chain.family)
  const value = MsgCreatePeriodicVestingAccount.encode(
    MsgCreatePeriodicVestingAccount.fromPartial({
      fromAddress: granter.address,
      toAddress: owner.address,
      startTime: BigInt(Math.floor(Date.now() / 1_000)),
      vestingPeriods: Array.from({ length: PERIODS }, () => ({ length: DAY, amount: [{ denom, amount: String(TOKEN) }] })),
    }),
  ).finish()
  await sender.land(granter, [{ typeUrl: MsgCreatePeriodicVestingAccount.typeUrl, value }], { gasLimit: GAS })
  // What is locked can be staked; a fee is paid from what is not.
  await sender.land(granter, [send(granter.address, owner.address, { [denom]: TOKEN })])
  judge.landed(await player.act(owner, 'stake', 300n * TOKEN))
  await chain.pass(2)
  judge.landed(await player.act(owner, 'stake', TOKEN))
  await chain.pass(2)
  judge.landed(await player.act(owner, 'claim-rewards'))
  await chain.pass(2)
  judge.landed(await player.act(owner, 'unstake', TOKEN))
  judge.close()
}
