import { StargateClient } from '@cosmjs/stargate'
import { chainOf, landed, Refused, type Sandbox } from '@svc/example-sandbox'
import type { Hub } from './hubs.ts'

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

/** Answers of `tx` and `tx_status`, as far as they are used. */
interface Found {
  readonly height: string
  readonly tx_result?: { readonly code: number; readonly log: string }
  readonly status?: string
  readonly execution_code?: number
  readonly error?: string
}

export async function connectChain(sandbox: Sandbox, chainId: string, { denom, lookup }: Hub): Promise<Chain> {
  const { rpcUrl, advance } = chainOf(sandbox, `cosmos:${chainId}`)
  const client = await StargateClient.connect(rpcUrl)
  return {
    async accountNumber(address) {
      const account = await client.getAccount(address)
      if (!account) throw new Refused(`${address} has no account on ${chainId}: send it a coin first.`)
      return BigInt(account.accountNumber)
    },
    balance: async (address) => BigInt((await client.getBalance(address, denom)).amount),
    async landed(hash) {
      const { height, tx_result, execution_code, error } = await landed(hash, () => find(hash))
      const { code, log } = tx_result ?? { code: execution_code, log: error }
      if (code !== 0) throw new Refused(`Transaction ${hash} failed in block ${height}: ${log}`)
      return Number(height)
    },
    // A local chain of the family counts days as epochs.
    pass: (days) => advance({ epochs: days }),
    close: () => client.disconnect(),
  }

  async function find(hash: string): Promise<Found | undefined> {
    const params = { hash: Buffer.from(hash, 'hex').toString('base64'), ...(lookup === 'tx' && { prove: false }) }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: lookup, params })
    const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result } = (await response.json()) as { readonly result?: Found }
    // A node with an index answers an error for what it does not know; one without says what it has heard.
    return lookup === 'tx' || result?.status === 'COMMITTED' ? result : undefined
  }
}
