import type { EvmDraft } from '@svc/kit-evm'
import { staking } from '../chain/staking.ts'
import type { StakingNetwork } from '../network.ts'

/** Method that an action calls. */
type Method = 'delegate' | 'undelegate' | 'claimStake' | 'claimReward' | 'compoundRewards'

/** Makes the draft of an action, which is always one call of the staking contract about one pool. */
export function draft({ staking: to }: StakingNetwork, pool: string, from: string, method: Method, value = 0n): EvmDraft {
  return { from, to, value, data: staking.encodeFunctionData(method, [pool]), explain }
}

/** Explains the only error of the contract that is no text and that a caller can meet; null for any other. @param data return data of the refused call */
export function explain(data: string): string | null {
  return data === staking.interface.getError('EnforcedPause')?.selector ? 'the staking contract is paused' : null
}
