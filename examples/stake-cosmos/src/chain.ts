import { setTimeout as wait } from 'node:timers/promises'
import { StargateClient } from '@cosmjs/stargate'
import type { Hub } from './hubs.ts'
import { Refused } from './sandbox-file.ts'

/** What the journey needs of the chain itself, past the service. */
export interface Chain {
  /** @throws Refused for an address that has never been sent a coin */
  accountNumber(address: string): Promise<bigint>
  /** What can be spent, in base units. */
  balance(address: string): Promise<bigint>
  /**
   * Waits until a transaction is in a block.
   *
   * @returns height of the block
   * @throws Refused when it failed there, or does not arrive within half a minute
   */
  landed(hash: string): Promise<number>
  /** Moves the local chain on by days. Against a real chain this is waiting. @returns the time that it is then */
  pass(days: number): Promise<Date>
  close(): void
}

export async function connectChain(
  { chainId, denom, lookup }: Hub,
  { rpcUrl, controlUrl }: Record<'rpcUrl' | 'controlUrl', string>,
): Promise<Chain> {
  const client = await StargateClient.connect(rpcUrl)
  return {
    async accountNumber(address) {
      const account = await client.getAccount(address)
      if (!account) throw new Refused(`${address} has no account on ${chainId}: send it a coin first.`)
      return BigInt(account.accountNumber)
    },
    balance: async (address) => BigInt((await client.getBalance(address, denom)).amount),
    async landed(hash) {
      for (let tries = 0; tries < 120; tries++) {
        const found = await find(hash)
        if (found?.code === 0) return found.height
        if (found) throw new Refused(`Transaction ${hash} failed in block ${found.height}: ${found.log}`)
        await wait(250)
      }
      throw new Refused(`Transaction ${hash} is in no block after half a minute; look it up before sending anything again.`)
    },
    async pass(days) {
      const url = `${controlUrl}/chains/cosmos/${chainId}/advance`
      // A local chain of the family counts days as epochs.
      const response = await fetch(url, { method: 'POST', body: JSON.stringify({ epochs: days }) })
      const { timestamp, error } = (await response.json()) as { timestamp: number; error?: string }
      if (!response.ok) throw new Refused(`The chain could not be moved on: ${error}`)
      return new Date(timestamp * 1000)
    },
    close: () => client.disconnect(),
  }

  async function find(hash: string): Promise<{ height: number; code: number; log: string } | undefined> {
    const params = { hash: Buffer.from(hash, 'hex').toString('base64') }
    const request = { jsonrpc: '2.0', id: 1, method: lookup, params: lookup === 'tx' ? { ...params, prove: false } : params }
    const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(request) })
    const { result } = (await response.json()) as { result?: TxResult & TxStatus }
    // A node with an index answers an error for what it does not know; one without says what it has heard.
    if (!result || (lookup === 'tx_status' && result.status !== 'COMMITTED')) return undefined
    return lookup === 'tx'
      ? { height: Number(result.height), ...result.tx_result }
      : { height: Number(result.height), code: result.execution_code, log: result.error }
  }
}

/** Answer of `tx`, as far as it is used. */
interface TxResult {
  readonly height: string
  readonly tx_result: { readonly code: number; readonly log: string }
}

/** Answer of `tx_status`, as far as it is used. */
interface TxStatus {
  readonly height: string
  readonly status: string
  readonly execution_code: number
  readonly error: string
}
