import { setTimeout as wait } from 'node:timers/promises'
import { Connection, PublicKey } from '@solana/web3.js'
import { Refused } from './sandbox-file.ts'

/** What the journey needs of the cluster itself, past the service. */
export interface Chain {
  /** Your own node, for what you would rather not take from an answer. */
  readonly node: Connection
  /** Lamports that an account of so many bytes must hold. */
  rent(space: number): Promise<bigint>
  balance(address: string): Promise<bigint>
  /**
   * Waits until a transaction is confirmed.
   *
   * @returns slot of its block
   * @throws Refused when it failed, or is not confirmed within half a minute
   */
  landed(signature: string): Promise<number>
  /** Moves the local cluster on by an epoch. Against a real one this is waiting, for about 42 hours. */
  nextEpoch(): Promise<void>
  /** The same by seconds. */
  pass(seconds: number): Promise<void>
}

/** @param options.id as the sandbox names it, `svm:mainnet-beta` */
export function connectChain({ id, rpcUrl, controlUrl }: Record<'id' | 'rpcUrl' | 'controlUrl', string>): Chain {
  const node = new Connection(rpcUrl, 'confirmed')
  return {
    node,
    rent: async (space) => BigInt(await node.getMinimumBalanceForRentExemption(space)),
    balance: async (address) => BigInt(await node.getBalance(new PublicKey(address))),
    async landed(signature) {
      // Asked for again and again: subscribing would need a second connection.
      for (let tries = 0; tries < 120; tries++) {
        const { value } = await node.getSignatureStatuses([signature])
        const [status] = value
        if (status?.err) throw new Refused(`Transaction ${signature} failed: ${JSON.stringify(status.err)}`)
        if (status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized') return status.slot
        await wait(250)
      }
      throw new Refused(`Transaction ${signature} is not confirmed after half a minute; look it up before sending anything again.`)
    },
    nextEpoch: () => move({ epochs: 1 }),
    pass: (seconds) => move({ seconds }),
  }

  async function move(step: object): Promise<void> {
    const response = await fetch(`${controlUrl}/chains/${id.replace(':', '/')}/advance`, { method: 'POST', body: JSON.stringify(step) })
    const { error } = (await response.json()) as { error?: string }
    if (!response.ok) throw new Refused(`The cluster could not be moved on: ${error}`)
  }
}
