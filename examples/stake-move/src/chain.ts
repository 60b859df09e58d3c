import { SuiGrpcClient } from '@mysten/sui/grpc'
import { normalizeStructTag } from '@mysten/sui/utils'
import { chainOf, Refused, type Sandbox } from '@svc/example-sandbox'

const STAKED_SUI = normalizeStructTag('0x3::staking_pool::StakedSui')

/** What became of a transaction. */
export interface Landed {
  readonly checkpoint: string
  /** MIST that it cost: below 0 when more storage was given back than gas was used. */
  readonly gas: bigint
  /** Ids of the stakes that it made. */
  readonly stakes: readonly string[]
}

/** What the journey needs of the chain itself, past the service. */
export interface Chain {
  /** Digest of the first checkpoint: tells which network the node serves. */
  identifier(): Promise<string>
  /** MIST of an address, in coins and in its address balance. */
  balance(address: string): Promise<bigint>
  /**
   * Waits until a transaction is in a checkpoint.
   *
   * @throws Refused when it failed there, or does not arrive within half a minute
   */
  landed(digest: string): Promise<Landed>
  /** Moves the local chain on by an epoch. Against a real one this is waiting, for a day. */
  nextEpoch(): Promise<void>
}

/** @param network as the chain calls it, `mainnet` */
export function connectChain(sandbox: Sandbox, network: string): Chain {
  const { rpcUrl, advance } = chainOf(sandbox, `move:${network}`)
  const node = new SuiGrpcClient({ network, baseUrl: rpcUrl })
  return {
    identifier: async () => (await node.core.getChainIdentifier()).chainIdentifier,
    balance: async (owner) => BigInt((await node.getBalance({ owner })).balance.balance),
    async landed(digest) {
      const { Transaction: done, FailedTransaction: failed } = await found(digest)
      if (!done) throw new Refused(`Transaction ${digest} failed: ${failed.status.error?.message}`)
      const { computationCost, storageCost, storageRebate } = done.effects.gasUsed
      const made = done.effects.changedObjects.filter(({ idOperation }) => idOperation === 'Created')
      return {
        checkpoint: String(done.checkpoint),
        gas: BigInt(computationCost) + BigInt(storageCost) - BigInt(storageRebate),
        stakes: made.map(({ objectId }) => objectId).filter((id) => isStake(done.objectTypes[id])),
      }
    },
    async nextEpoch() {
      await advance({ epochs: 1 })
    },
  }

  /** Your node may be a moment behind the one that the service asked. */
  function found(digest: string) {
    const include = { effects: true, objectTypes: true } as const
    return node.waitForTransaction({ digest, include, timeout: 30_000 }).catch(() => {
      throw new Refused(`Transaction ${digest} is not found after half a minute; look it up before sending anything again.`)
    })
  }
}

function isStake(type: string | undefined): boolean {
  return type !== undefined && normalizeStructTag(type) === STAKED_SUI
}
