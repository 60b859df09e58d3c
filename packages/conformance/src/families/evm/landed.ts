import { awaitLanding, callOf } from '../../landing.ts'

/** Waits until a transaction is in a block. @throws with a sentence when it failed there */
export function landed(rpcUrl: string, hash: string): Promise<void> {
  return awaitLanding(hash, async () => {
    const receipt = await callOf<Record<string, string> | null>(rpcUrl, 'eth_getTransactionReceipt', [hash])
    if (!receipt) return null
    return receipt.status === '0x1' ? 'landed' : { failed: `is in block ${Number(receipt.blockNumber)} and reverted there` }
  })
}
