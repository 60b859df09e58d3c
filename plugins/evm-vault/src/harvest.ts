import { AbiCoder, concat, keccak256 } from 'ethers'
import { vaultAbi } from './abi.ts'
import type { VaultContext } from './network.ts'
import { querySubgraph } from './subgraph.ts'

/** The oracles' word on the vault, as `updateState` takes it: its reward since its creation in wei, and the proof. */
export interface Harvest {
  readonly rewardsRoot: string
  readonly reward: bigint
  readonly unlockedMevReward: bigint
  readonly proof: readonly string[]
}

const QUERY = 'query Harvest($vault: ID!) { vault(id: $vault) { rewardsRoot proofReward proofUnlockedMevReward proof } }'
/** How long a craft waits for the subgraph at most before it goes on without, in milliseconds. */
const WAIT_MS = 2000
const MEMO = 'harvest'

/** What was read before. It stays true: a root never gets other contents, and whether it is still the Keeper's is seen on the chain. */
export function knownHarvest(ctx: VaultContext): Harvest | null {
  return (ctx.memo.get(MEMO) as Harvest | undefined) ?? null
}

/** Asks the subgraph for the latest values, and keeps those that their own proof confirms. @returns null without them; never rejects */
export async function freshHarvest(ctx: VaultContext): Promise<Harvest | null> {
  const { vault } = ctx.network
  try {
    const data = await querySubgraph<{ vault: Readonly<Record<string, unknown>> | null }>(
      ctx,
      QUERY,
      { vault: vault.toLowerCase() },
      AbortSignal.timeout(WAIT_MS),
    )
    const harvest = data?.vault ? readHarvest(data.vault) : null
    if (harvest === null || rootOf(vault, harvest) !== harvest.rewardsRoot) return null
    ctx.memo.set(MEMO, harvest)
    return harvest
  } catch (error) {
    ctx.log.info({ err: error, network: ctx.network.chainId }, 'the subgraph gives no values to harvest with')
    return null
  }
}

/** The Merkle root that a vault's values and their proof lead to. Leaves are hashed twice, pairs in sorted order. */
export function rootOf(vault: string, { reward, unlockedMevReward, proof }: Harvest): string {
  const leaf = keccak256(keccak256(AbiCoder.defaultAbiCoder().encode(['address', 'int160', 'uint160'], [vault, reward, unlockedMevReward])))
  return proof.reduce((node, other) => keccak256(concat(BigInt(node) < BigInt(other) ? [node, other] : [other, node])), leaf)
}

/** Call data of the harvest alone. */
export function updateState(harvest: Harvest): string {
  return vaultAbi.encodeFunctionData('updateState', [harvest])
}

function readHarvest(vault: Readonly<Record<string, unknown>>): Harvest | null {
  const { rewardsRoot, proofReward, proofUnlockedMevReward, proof } = vault
  const isHash = (value: unknown): value is string => typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)
  const isInteger = (value: unknown): value is string => typeof value === 'string' && /^-?\d{1,49}$/.test(value)
  if (!isHash(rewardsRoot) || !isInteger(proofReward) || !isInteger(proofUnlockedMevReward)) return null
  if (!Array.isArray(proof) || !proof.every(isHash)) return null
  return {
    rewardsRoot: rewardsRoot.toLowerCase(),
    reward: BigInt(proofReward),
    unlockedMevReward: BigInt(proofUnlockedMevReward),
    proof: proof.map((each) => each.toLowerCase()),
  }
}
