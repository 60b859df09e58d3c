import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import { MsgExec, MsgGrant, MsgRevoke } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgSetWithdrawAddress } from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { MsgBeginRedelegate, MsgCancelUnbondingDelegation, MsgUndelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { until } from '../../programs.ts'
import type { Report } from '../../report.ts'
import type { Service } from '../../service.ts'
import { readBooks } from '../books.ts'
import type { Chain } from '../chain.ts'
import { createJudge } from '../judge.ts'
import { send } from '../messages.ts'
import { isRefusal, type Player } from '../player.ts'
import { createSender } from '../sender.ts'

/** Whose stake it is, and whose hands are in it besides. */
export const HANDS_WALLETS = ['guarded', 'other-hands']

const TOKEN = 1_000_000n
/** Gas of a message of staking inside another one, with room: 400,000 are enough for one that stands alone. */
const GAS = 900_000n
/** Time in which a change is told once the transaction after it is final, in seconds. */
const TOLD_SECONDS = 120
/** Time in which a change is told after its block, in seconds, where nothing is done through the service after it. */
const PUSHED_SECONDS = 60

/**
 * Has other hands change a stake on the node itself, past the service, one after another: who is paid, who may act, exits, moves. Each is told once, as what it is; what the
 * service has done by order tells nothing.
 *
 * @param other another validator, to which stake is moved
 */
export async function handsLife(
  report: Report,
  player: Player,
  { service, other }: { readonly service: Service; readonly other: string },
): Promise<void> {
  const { chain, validator } = player
  const { denom } = chain.family
  const [owner, thief] = HANDS_WALLETS.map((name) => chain.wallet(name))
  if (!owner || !thief) throw new Error('The chain has no such wallets.')
  const sender = createSender(chain)
  const [{ rpc }] = chain.nodes
  const judge = createJudge(report, chain.family)
  const order = async (action: 'stake' | 'unstake', units = TOKEN) => judge.landed(await player.act(owner, action, units))
  const ofOwner = async () => (await service.events()).filter(({ data }) => data.wallet === owner.address).toReversed()
  const alarms = async () =>
    (await ofOwner()).flatMap(({ type, data: { aspect, severity } }) =>
      severity === undefined ? [] : [[type, aspect, severity].filter((word) => word !== undefined).join(' ')],
    )

  await order('stake', 10_000n * TOKEN)
  // What is there at the first reading is told by the balance alone.
  await until('the first reading of the position', TOLD_SECONDS, async () => {
    const { body } = await service.ask('GET', '/api/v1/watch?limit=100')
    return (body.watches as readonly { address: string; read_at: string | null }[]).some(
      ({ address, read_at: at }) => address === owner.address && at !== null,
    )
  })
  report.equal('what stands over a stake from the beginning is no alarm', await alarms(), [])

  const delegatorAddress = owner.address
  const coin = (units: bigint) => ({ denom, amount: String(units) })
  const leave = MsgUndelegate.encode({ delegatorAddress, validatorAddress: validator, amount: coin(100n * TOKEN) }).finish()
  let begun = 0n
  /** Chain's time at which the exit ends by itself, in seconds. */
  let ends = 0n
  const payTo = (withdrawAddress: string) =>
    sender.land(owner, [
      { typeUrl: MsgSetWithdrawAddress.typeUrl, value: MsgSetWithdrawAddress.encode({ delegatorAddress, withdrawAddress }).finish() },
    ])
  const changes: readonly {
    readonly name: string
    readonly run: () => Promise<unknown>
    readonly event: string
    readonly isPushed?: true
  }[] = [
    {
      name: 'its rewards are paid to somebody else',
      run: () => payTo(thief.address),
      event: 'position.control_changed withdraw_address critical',
    },
    {
      name: 'its rewards are paid to the wallet again',
      run: () => payTo(owner.address),
      event: 'position.control_changed withdraw_address info',
    },
    {
      name: 'somebody may begin exits',
      run: () => sender.land(owner, [grantOf(owner.address, thief.address, MsgUndelegate.typeUrl)]),
      event: 'position.control_changed grant_undelegate critical',
    },
    {
      name: 'he begins one',
      async run() {
        const value = MsgExec.encode({ grantee: thief.address, msgs: [{ typeUrl: MsgUndelegate.typeUrl, value: leave }] }).finish()
        begun = await sender.land(thief, [{ typeUrl: MsgExec.typeUrl, value }], { gasLimit: GAS })
        const { exits } = await readBooks(rpc, denom, validator, owner.address)
        ends = exits.at(-1)?.completes ?? 0n
      },
      event: 'position.exit_started critical',
      // With the node's own settings, on Celestia without an index: the node says so by itself.
      isPushed: true,
    },
    {
      name: 'its owner cancels a part of it',
      run() {
        // What is left shows that the rest did not leave by itself: exits of this chain take two minutes, and of one that is gone shortly before its end nobody knows.
        const message = { delegatorAddress, validatorAddress: validator, amount: coin(60n * TOKEN), creationHeight: begun }
        const value = MsgCancelUnbondingDelegation.encode(message).finish()
        return sender.land(owner, [{ typeUrl: MsgCancelUnbondingDelegation.typeUrl, value }], { gasLimit: GAS })
      },
      event: 'position.exit_cancelled info',
    },
    {
      name: 'somebody may do so no more',
      run() {
        const value = MsgRevoke.encode({ granter: owner.address, grantee: thief.address, msgTypeUrl: MsgUndelegate.typeUrl }).finish()
        return sender.land(owner, [{ typeUrl: MsgRevoke.typeUrl, value }])
      },
      event: 'position.control_changed grant_undelegate info',
    },
    {
      name: 'its owner moves a part to another validator',
      run() {
        const message = { delegatorAddress, validatorSrcAddress: validator, validatorDstAddress: other, amount: coin(500n * TOKEN) }
        const value = MsgBeginRedelegate.encode(message).finish()
        return sender.land(owner, [{ typeUrl: MsgBeginRedelegate.typeUrl, value }], { gasLimit: GAS })
      },
      event: 'position.moved info',
    },
  ]
  const expected: string[] = []
  for (const [index, { name, run, event, isPushed = false }] of changes.entries()) {
    await run()
    const landed = Date.now()
    if (index === 0) await refuses(report, player, owner.name)
    // After the end of a transaction that it follows the service reads the position.
    if (!isPushed) await order('stake')
    // An exit whose end has come is not known to have been cancelled: on a machine that is very busy, two minutes go by in between.
    if (event.startsWith('position.exit_cancelled') && (await timeOf(rpc)) >= ends) {
      report.say(`${name}: its end had come by itself before the position was read`)
      expected.splice(0, expected.length, ...(await alarms()))
      continue
    }
    expected.push(event)
    const now = await until(name, TOLD_SECONDS, async () => {
      const list = await alarms()
      return list.length >= expected.length && list
    }).catch(alarms)
    report.equal(`${name}: it is told once, as that`, now, expected)
    if (!isPushed) continue
    const seconds = Math.round((Date.now() - landed) / 1_000)
    report.say(`${name}: told ${seconds} s after it was seen in a block`)
    report.equal(`${name}: it is told within a minute of its block, by what the node pushes alone`, seconds <= PUSHED_SECONDS, true)
  }

  await sender.land(thief, [send(thief.address, owner.address, { [denom]: 1n })])
  await order('unstake')
  await order('stake')
  await chain.pass(2)
  report.equal('what was ordered here, and a unit from a stranger, are no alarm', await alarms(), expected)
  judge.close()
}

/** While rewards are paid to somebody else a claim is refused, and an exit is not. */
async function refuses(report: Report, player: Player, name: string): Promise<void> {
  const wallet = player.chain.wallet(name)
  const refusal = await player.craft(wallet, 'claim-rewards').catch((error: unknown) => error)
  report.check('a claim that would pay somebody else is refused', isRefusal(refusal, 'WITHDRAW_ADDRESS_OTHER'), refusal)
  report.check('an exit is crafted', (await player.craft(wallet, 'unstake', TOKEN)).amount === TOKEN)
}

function grantOf(granter: string, grantee: string, msg: string): Any {
  const authorization = { typeUrl: GenericAuthorization.typeUrl, value: GenericAuthorization.encode({ msg }).finish() }
  const value = MsgGrant.encode(MsgGrant.fromPartial({ granter, grantee, grant: { authorization } })).finish()
  return { typeUrl: MsgGrant.typeUrl, value }
}

/** Reads the time of the latest block, in seconds. */
async function timeOf(rpc: Chain['nodes'][number]['rpc']): Promise<bigint> {
  const { sync_info: sync } = await rpc.call('status', {})
  return BigInt(Math.floor(Date.parse((sync as { readonly latest_block_time: string }).latest_block_time) / 1_000))
}
