import { StargateClient } from '@cosmjs/stargate'
import { chainOf, Refused, type Sandbox } from '@svc/example-sandbox'
import type { Hub } from './hubs.ts'

/** Questions that the journey asks of an own node. The journey waits for nothing there: the service tells what becomes of a transaction. */
export interface Chain {
  /** @throws Refused for an address that has never been sent a coin */
  accountNumber(address: string): Promise<bigint>
  /** Returns the amount that can be spent, in base units. */
  balance(address: string): Promise<bigint>
  /** Moves the local chain on by days. Against a real chain this is waiting. @returns the time that it is then */
  pass(days: number): Promise<Date>
  close(): void
}

/** Connects to a local Cosmos chain as its wallets do, past the service. The caller closes the connection. */
export async function connectChain(sandbox: Sandbox, chainId: string, { denom }: Hub): Promise<Chain> {
  const { rpcUrl, advance } = chainOf(sandbox, `cosmos:${chainId}`)
  const client = await StargateClient.connect(rpcUrl)
  return {
    async accountNumber(address) {
      const account = await client.getAccount(address)
      if (!account) throw new Refused(`${address} has no account on ${chainId}: send it a coin first.`)
      return BigInt(account.accountNumber)
    },
    balance: async (address) => BigInt((await client.getBalance(address, denom)).amount),
    // A local chain of the family counts days as epochs.
    pass: (days) => advance({ epochs: days }),
    close: () => client.disconnect(),
  }
}
