import { Interface } from 'ethers'
import type { LiquidContext } from './network.ts'
import { answered, ask, askAll, coreVault, type Question, question } from './vault.ts'

/** Validators asked in one call: 70 × 97,200 gas stays under the 8.1 million that Monad's nodes run at once. */
const VALIDATORS_PER_CALL = 70
const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000'

/** What is read of Monad's staking precompile. @see https://docs.monad.xyz/developer-essentials/staking (read 2026-11-21) */
const staking = new Interface([
  'function getEpoch() returns (uint64 epoch, bool inEpochDelayPeriod)',
  'function getValidator(uint64 validatorId) returns (address authAddress, uint64 flags, uint256 stake, uint256 accRewardPerToken, uint256 commission, uint256 unclaimedRewards, uint256 consensusStake, uint256 consensusCommission, uint256 snapshotStake, uint256 snapshotCommission, bytes secpPubkey, bytes blsPubkey)',
  'function getConsensusValidatorSet(uint32 startIndex) returns (bool isDone, uint32 nextIndex, uint64[] valIds)',
  'function getSnapshotValidatorSet(uint32 startIndex) returns (bool isDone, uint32 nextIndex, uint64[] valIds)',
])

export interface Validator {
  readonly exists: boolean
  /** What counts in this epoch: stake in wei, and commission in parts of 1e18. */
  readonly stake: bigint
  readonly commission: bigint
}

/** Whether the last part of an epoch has begun, in which the snapshot's stakes count. */
export async function inDelayPeriod(ctx: LiquidContext): Promise<boolean> {
  const [delayed] = await askAll(ctx, [question(ctx.network.staking, staking, 'getEpoch', [], (it) => it.inEpochDelayPeriod as boolean)])
  return delayed
}

/** The validators that the pool's stake is with. */
export async function poolValidators(ctx: LiquidContext, core: string, delayed: boolean): Promise<readonly Validator[]> {
  const { validator_id } = ctx.network
  if (validator_id !== undefined) return readValidators(ctx, [BigInt(validator_id)], delayed)
  const [ids] = await askAll(ctx, [question(core, coreVault, 'getValidators', [], ([list]) => [...list] as bigint[])])
  return readValidators(ctx, ids, delayed)
}

export async function readValidators(ctx: LiquidContext, ids: readonly bigint[], delayed: boolean): Promise<readonly Validator[]> {
  const chunks = Array.from({ length: Math.ceil(ids.length / VALIDATORS_PER_CALL) }, (_, index) =>
    ids.slice(index * VALIDATORS_PER_CALL, (index + 1) * VALIDATORS_PER_CALL),
  )
  const answers = await Promise.all(
    chunks.map((chunk) =>
      ask<readonly Validator[]>(
        ctx,
        chunk.map((id) => askValidator(ctx.network.staking, id, delayed)),
      ),
    ),
  )
  return answers.flat().map((each) => answered(each))
}

/** Wei that count in this epoch, summed over the active set. */
export async function activeStake(ctx: LiquidContext, delayed: boolean): Promise<bigint> {
  const method = delayed ? 'getSnapshotValidatorSet' : 'getConsensusValidatorSet'
  const ids: bigint[] = []
  for (let done = false, next = 0n; !done; ) {
    const [page] = await askAll(ctx, [
      question(ctx.network.staking, staking, method, [next], (it) => ({
        done: it.isDone as boolean,
        next: it.nextIndex as bigint,
        ids: [...it.valIds] as bigint[],
      })),
    ])
    ids.push(...page.ids)
    done = page.done || page.ids.length === 0
    next = page.next
  }
  const validators = await readValidators(ctx, ids, delayed)
  return validators.reduce((total, { stake }) => total + stake, 0n)
}

/** The mean, in parts of 1e18; 0 of none, since nothing is earned then. */
export function meanCommission(validators: readonly Validator[]): bigint {
  if (validators.length === 0) return 0n
  return validators.reduce((sum, { commission }) => sum + commission, 0n) / BigInt(validators.length)
}

function askValidator(to: string, id: bigint, delayed: boolean): Question<Validator> {
  return question(to, staking, 'getValidator', [id], (it) => {
    const stake: bigint = delayed ? it.snapshotStake : it.consensusStake
    // Outside the set nothing counts in this epoch, so that the commission is the one to come.
    const commission: bigint = stake === 0n ? it.commission : delayed ? it.snapshotCommission : it.consensusCommission
    return { exists: it.authAddress !== ZERO_ADDRESS, stake, commission }
  })
}
