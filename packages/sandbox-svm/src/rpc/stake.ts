import type { Validator } from '../validators.ts'
import type { World } from '../world.ts'
import { inContext, slotOf } from './context.ts'
import { invalidParams, RpcError } from './error.ts'
import type { Method } from './method.ts'

/** Makes the methods of a node about validators and rewards. */
export function stakeMethods(world: World): Readonly<Record<string, Method>> {
  const { bank, validators, epochs } = world
  return {
    getStakeMinimumDelegation: () => inContext(world, Number(world.minimumDelegation)),
    getVoteAccounts(params) {
      const { votePubkey } = params.config(0)
      const stakes = epochs.effectiveByVote()
      const selection = [...validators.all].filter(({ vote }) => votePubkey === undefined || vote === votePubkey)
      const rows = (delinquent: boolean) =>
        selection.filter((validator) => validator.delinquent === delinquent).map((validator) => row(world, validator, stakes))
      return { current: rows(false), delinquent: rows(true) }
    },
    getInflationReward(params) {
      const addresses = params.addresses(0, 1000)
      const config = params.config(1)
      slotOf(world, config)
      const epoch = config.epoch === undefined || config.epoch === null ? bank.epoch - 1n : BigInt(epochOf(config.epoch))
      // Rewards of an epoch are paid in the first blocks of the next one, and looked for there.
      if (epoch >= bank.epoch) throw new RpcError(-32004, `Block not available for slot ${(epoch + 1n) * 432_000n}`)
      return addresses.map((address) => {
        const reward = epochs.rewardOf(epoch, address)
        if (reward === undefined) return null
        const { amount, postBalance, slot, commissionBps } = reward
        return {
          epoch: Number(epoch),
          effectiveSlot: Number(slot),
          amount: Number(amount),
          postBalance: Number(postBalance),
          commissionBps,
        }
      })
    },
  }
}

function row(world: World, validator: Validator, stakes: ReadonlyMap<string, bigint>): Record<string, unknown> {
  const { bank, validators } = world
  const { name, vote, identity, delinquent, credits } = validator
  const bps = validators.commission(vote)
  const share = world.isCluster(name) ? world.clusterShare : 0n
  return {
    votePubkey: vote,
    nodePubkey: identity,
    activatedStake: Number((stakes.get(vote) ?? 0n) + share),
    epochVoteAccount: true,
    commission: Math.trunc(bps / 100),
    inflationRewardsCommissionBps: bps,
    lastVote: delinquent ? Number(bank.slot) - 1000 : Number(bank.slot),
    rootSlot: delinquent ? Number(bank.slot) - 1031 : Number(bank.slot) - 31,
    epochCredits: credits.map((numbers) => numbers.map(Number)),
  }
}

function epochOf(epoch: unknown): number {
  if (typeof epoch === 'number' && Number.isSafeInteger(epoch) && epoch >= 0) return epoch
  throw invalidParams('Invalid params: epoch must be an integer.')
}
