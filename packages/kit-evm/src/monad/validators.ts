import { type KitContext, malformedAnswer, type Obstacle, type ServiceError } from '@svc/contract'
import { ZeroAddress } from 'ethers'
import { parseAbi, type Question } from '../abi.ts'
import type { EvmClient } from '../client.ts'
import type { Reader } from '../reader.ts'
import type { EvmSettings } from '../settings.ts'
import type { MonadSettings } from './settings.ts'

/** Validators asked in one call: 70 × 97,200 gas stays under the 8.1 million that Monad's nodes run at once. */
const VALIDATORS_PER_CALL = 70
/** Pages of the active set that are followed: it has 200 validators at most, 100 a page. */
const SET_PAGES = 10
/** Validators that an active set can hold, and more: the chain's is of 200. @see https://docs.monad.xyz/developer-essentials/staking (read 2026-11-21) */
export const MOST_VALIDATORS = 2000

/** Getters of the staking precompile. Getters are no views: it accepts a plain CALL only. @see https://docs.monad.xyz/developer-essentials/staking (read 2026-11-21) */
export const monadValidatorsAbi = parseAbi([
  'function getEpoch() returns (uint64 epoch, bool inEpochDelayPeriod)',
  'function getValidator(uint64 validatorId) returns (address authAddress, uint64 flags, uint256 stake, uint256 accRewardPerToken, uint256 commission, uint256 unclaimedRewards, uint256 consensusStake, uint256 consensusCommission, uint256 snapshotStake, uint256 snapshotCommission, bytes secpPubkey, bytes blsPubkey)',
  'function getConsensusValidatorSet(uint32 startIndex) returns (bool isDone, uint32 nextIndex, uint64[] valIds)',
  'function getSnapshotValidatorSet(uint32 startIndex) returns (bool isDone, uint32 nextIndex, uint64[] valIds)',
])

/** A validator's record. */
export interface Validator {
  readonly exists: boolean
  /** The validator's own account, whose stake brings it into the active set. */
  readonly owner: string
  /** True if the validator leaves the active set at the next boundary, or does not enter it: for too little stake, or a double sign. */
  readonly isFlagged: boolean
  /** Stake in wei, as execution sees it. */
  readonly stake: bigint
  /** Rewards per staked token since the validator began, scaled by 1e36. */
  readonly accumulator: bigint
  /** Figures that count in this epoch: stake in wei, and commission in parts of 1e18. */
  readonly epochStake: bigint
  readonly epochCommission: bigint
}

/** A validator as it counts now, with the commission that is to come. */
export interface CurrentValidator extends Validator {
  /** Commission that its account has set, in parts of 1e18. */
  readonly commission: bigint
  /** First epoch in which that commission counts; null: it counts already. */
  readonly commissionEpoch: number | null
}

/** The whole, in parts of 1e18. */
const WHOLE = 10n ** 18n

type Network = Pick<MonadSettings, 'staking'>
type MonadContext = KitContext<EvmClient, EvmSettings & Network>

/** Tells whether stake earns with a validator: the validator is in the active set, and stays. */
export function earns(validator: Validator): boolean {
  return obstacleOf(validator) === null
}

/** Returns the reason why stake earns nothing with a validator; null where it earns. The actions, the shown rate and the shown state use this one rule. */
export function obstacleOf({ exists, isFlagged, epochStake }: Validator): Obstacle | null {
  if (!exists) return { state: 'inactive', reason: 'is not registered' }
  if (isFlagged) return { state: 'left', reason: 'is about to leave the active set, or out of it' }
  return epochStake > 0n ? null : { state: 'inactive', reason: 'is not in the active set of this epoch' }
}

/** Asks which epoch it is, and whether its last part has begun, in which the snapshot's stakes count. */
function askEpoch({ staking: to }: Network): Question<{ readonly epoch: number; readonly delayed: boolean }> {
  return monadValidatorsAbi.question(to, 'getEpoch', [], ({ epoch, inEpochDelayPeriod: delayed }) => {
    if (epoch > BigInt(Number.MAX_SAFE_INTEGER)) throw malformedAnswer(epoch)
    return { epoch: Number(epoch), delayed }
  })
}

/** A validator as it is in an epoch, and in its last part: both are said in one answer. */
interface Views {
  readonly now: Validator
  readonly delayed: Validator
  /** Commissions in parts of 1e18: as its account has set it, and of the epoch that the last snapshot was made for. */
  readonly commission: bigint
  readonly consensusCommission: bigint
}

function askViews({ staking: to }: Network, id: number | bigint): Question<Views> {
  return monadValidatorsAbi.question(to, 'getValidator', [id], (it) => {
    const { commission, consensusCommission, snapshotCommission } = it
    if ([commission, consensusCommission, snapshotCommission].some((part) => part > WHOLE)) throw malformedAnswer(commission)
    return {
      now: validatorOf(it, it.consensusStake, consensusCommission),
      delayed: validatorOf(it, it.snapshotStake, snapshotCommission),
      commission,
      consensusCommission,
    }
  })
}

/** @param epochStake,counted stake and commission of the epoch */
function validatorOf(
  it: Readonly<{ authAddress: string; flags: bigint; stake: bigint; accRewardPerToken: bigint; commission: bigint }>,
  epochStake: bigint,
  counted: bigint,
): Validator {
  return {
    exists: it.authAddress !== ZeroAddress,
    owner: it.authAddress,
    isFlagged: it.flags !== 0n,
    stake: it.stake,
    accumulator: it.accRewardPerToken,
    epochStake,
    // Outside the set nothing counts in this epoch, so that the commission is the one to come.
    epochCommission: epochStake > 0n ? counted : it.commission,
  }
}

/** Makes the question for a validator's rewards per staked token since the validator began, scaled by 1e36. */
export function askAccumulator({ staking: to }: Network, id: number | bigint): Question<bigint> {
  return monadValidatorsAbi.question(to, 'getValidator', [id], ({ accRewardPerToken }) => accRewardPerToken)
}

/** Reads of Monad's validators in the words of a protocol. */
export interface MonadValidators {
  /** Tells whether the last part of an epoch has begun. */
  isDelayed(ctx: MonadContext): Promise<boolean>
  /** Reads a validator as it counts now, in one round trip. */
  current(ctx: MonadContext, id: number): Promise<CurrentValidator>
  /** @param delayed the validators as they are in the last part of an epoch */
  read(ctx: MonadContext, ids: readonly (number | bigint)[], delayed: boolean): Promise<readonly Validator[]>
  /** Reads the stake of the active set that counts in this epoch, in wei. */
  activeStake(ctx: MonadContext, delayed: boolean): Promise<bigint>
}

/**
 * Makes the reads of Monad's validators.
 *
 * @param reader the protocol's
 * @param endless its refusal where the active set has no end
 */
export function monadValidators({ askAll }: Pick<Reader, 'askAll'>, endless: () => ServiceError): MonadValidators {
  const read: MonadValidators['read'] = async (ctx, ids, delayed) => {
    const questions = ids.map((id) => askViews(ctx.network, id))
    const views = await askAll(ctx, questions, { perCall: VALIDATORS_PER_CALL })
    return views.map((view) => (delayed ? view.delayed : view.now))
  }

  async function activeSet(ctx: MonadContext, delayed: boolean): Promise<readonly bigint[]> {
    const method = delayed ? 'getSnapshotValidatorSet' : 'getConsensusValidatorSet'
    const ids: bigint[] = []
    for (let next = 0n, pages = 0; pages < SET_PAGES; pages++) {
      const [page] = await askAll(ctx, [monadValidatorsAbi.question(ctx.network.staking, method, [next])])
      ids.push(...page.valIds)
      if (ids.length > MOST_VALIDATORS) break
      if (page.isDone || page.valIds.length === 0) return ids
      next = page.nextIndex
    }
    throw endless()
  }

  return {
    read,
    async isDelayed(ctx) {
      const [{ delayed }] = await askAll(ctx, [askEpoch(ctx.network)])
      return delayed
    },
    async current(ctx, id) {
      const { network } = ctx
      // Which of its two stakes counts is said in the same answer.
      const { at, views } = await askAll(ctx, { at: askEpoch(network), views: askViews(network, id) })
      const validator = at.delayed ? views.delayed : views.now
      const { commission } = views
      // The snapshot for the next epoch is made when the last part of an epoch begins: what is set after it waits for the one after.
      const isSnapped = !at.delayed || commission === views.consensusCommission
      const commissionEpoch = commission === validator.epochCommission ? null : at.epoch + (isSnapped ? 1 : 2)
      return { ...validator, commission, commissionEpoch }
    },
    async activeStake(ctx, delayed) {
      const validators = await read(ctx, await activeSet(ctx, delayed), delayed)
      return validators.reduce((total, { epochStake }) => total + epochStake, 0n)
    },
  }
}
