import type { Value } from '@svc/verify'
import { encodeCall } from '@svc/verify/evm'
import { type Claim, type NetworkTerms, Refused, tokens } from '@svc/verify/intent'
import { HARVEST } from './methods.ts'

/** The oracles' report on the vault, as `updateState` takes it: wei of reward since the vault's creation, and their proof. */
export interface Harvest {
  readonly rewardsRoot: string
  readonly reward: bigint
  readonly unlockedMevReward: bigint
  readonly proof: readonly string[]
}

/** Writes a harvest as the argument of a call. */
export function harvestArgs({ rewardsRoot, reward, unlockedMevReward, proof }: Harvest): readonly Value[] {
  return [rewardsRoot, reward, unlockedMevReward, proof]
}

/** Encodes the call data of the harvest alone. */
export function harvestCall(harvest: Harvest): string {
  return encodeCall(HARVEST, { harvest: harvestArgs(harvest) })
}

/** Reads a harvest from the argument of a call. @throws Refused when it is none */
export function readHarvest(value: Value | undefined): Harvest {
  const [rewardsRoot, reward, unlockedMevReward, proof] = listOf(value) ?? []
  const texts = listOf(proof)?.filter((each) => typeof each === 'string')
  if (typeof rewardsRoot !== 'string' || typeof reward !== 'bigint' || typeof unlockedMevReward !== 'bigint' || !texts)
    throw new Refused('args.harvest', "the oracles' report", String(value))
  return { rewardsRoot, reward, unlockedMevReward, proof: texts }
}

/** Claims the fact `harvest`: whether the vault is harvested in the same call, and with which values. */
export function claimedHarvest(harvest: Harvest | null, terms: NetworkTerms): Claim {
  return {
    fact: 'harvest',
    value: harvest ? shown(harvest, terms) : 'none',
    bound:
      'the vault takes a report with the proof of the oracles alone, and anybody may bring it; without one it refuses what has to wait for it',
    holds: true,
  }
}

function shown({ rewardsRoot, reward, unlockedMevReward, proof }: Harvest, terms: NetworkTerms): string {
  const rewards = `a reward of ${tokens(reward, terms)} and ${tokens(unlockedMevReward, terms)} of unlocked MEV`
  return `the report ${rewardsRoot} of ${rewards}, with the proof ${proof.join(' ')}`
}

function listOf(value: Value | undefined): readonly Value[] | undefined {
  return typeof value === 'object' ? value : undefined
}
