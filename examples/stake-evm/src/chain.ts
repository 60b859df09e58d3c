import { setTimeout as wait } from 'node:timers/promises'
import { JsonRpcProvider } from 'ethers'
import { Refused } from './sandbox-file.ts'

/** What the journey needs of the chain itself, past the service: a receipt, and time. */
export interface Chain {
  /**
   * Waits until a transaction is in a block.
   *
   * @returns number of the block
   * @throws Refused when it reverted, or does not arrive within half a minute
   */
  landed(hash: string): Promise<number>
  /** Moves the local chain on by an epoch of its protocol. Against a real chain this is waiting. */
  nextEpoch(): Promise<void>
  /** Your own node, for what you would rather not take from an answer. */
  readonly node: JsonRpcProvider
  close(): void
}

/** @param options.id as the sandbox names it, `evm:143` */
export function connectChain(options: { id: string; rpcUrl: string; controlUrl: string }): Chain {
  const chainId = Number(options.id.slice('evm:'.length))
  const provider = new JsonRpcProvider(options.rpcUrl, chainId, { staticNetwork: true, cacheTimeout: -1 })
  return {
    node: provider,
    async landed(hash) {
      // Asked for again and again, rather than waited for by new blocks: a quiet chain may make none after it.
      for (let tries = 0; tries < 120; tries++) {
        const receipt = await provider.getTransactionReceipt(hash)
        if (receipt?.status === 1) return receipt.blockNumber
        if (receipt) throw new Refused(`Transaction ${hash} reverted on the chain.`)
        await wait(250)
      }
      throw new Refused(`Transaction ${hash} is in no block after half a minute; look it up before sending anything again.`)
    },
    async nextEpoch() {
      const url = `${options.controlUrl}/chains/${options.id.replace(':', '/')}/advance`
      const response = await fetch(url, { method: 'POST', body: JSON.stringify({ epochs: 1 }) })
      const { error } = (await response.json()) as { error?: string }
      if (!response.ok) throw new Refused(`The chain could not be moved on: ${error}`)
    },
    close: () => provider.destroy(),
  }
}
