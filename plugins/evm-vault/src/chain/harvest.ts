import { AbiCoder, concat, keccak256 } from 'ethers'
import { vaultAbi } from '../abi.ts'

/** The oracles' report on the vault, as `updateState` takes it: wei of reward since the vault's creation, and their proof. */
export interface Harvest {
  /** Root of the oracles' tree, which the Keeper knows. */
  readonly rewardsRoot: string
  /** May be negative. */
  readonly reward: bigint
  readonly unlockedMevReward: bigint
  readonly proof: readonly string[]
}

/** Computes the Merkle root to which a vault's values and their proof lead. Leaves are hashed twice, pairs in sorted order. */
export function rootOf(vault: string, { reward, unlockedMevReward, proof }: Harvest): string {
  const leaf = keccak256(keccak256(AbiCoder.defaultAbiCoder().encode(['address', 'int160', 'uint160'], [vault, reward, unlockedMevReward])))
  return proof.reduce((node, other) => keccak256(concat(BigInt(node) < BigInt(other) ? [node, other] : [other, node])), leaf)
}

/** Encodes the call data of the harvest alone. */
export function updateState(harvest: Harvest): string {
  return vaultAbi.encodeFunctionData('updateState', [harvest])
}
