import type { EvmCraft } from '@svc/verify'
import { computeAddress, keccak256, SigningKey, toUtf8Bytes } from 'ethers'
import type { Family, Wallet } from '../family.ts'
import { badPrepares, garble } from './evm-faults.ts'
import { fieldForgeries, forgeries } from './evm-forgeries.ts'

export interface EvmWallet extends Wallet {
  readonly key: SigningKey
}

/** How long a transaction may take into a block of the local chain, in milliseconds. */
const LANDING_MS = 10_000

/** Driver of the EVM family: legacy transactions, secp256k1, JSON-RPC. */
export const evmFamily: Family<EvmCraft, EvmWallet> = {
  family: 'evm',
  otherChainId: '999999937',
  wallet(index) {
    const key = new SigningKey(keccak256(toUtf8Bytes(`conformance wallet ${index}`)))
    const address = computeAddress(key)
    return { address, signer: address, key }
  },
  async sign(unsigned, { key }) {
    const { r, s, v } = key.sign(unsigned.unsigned_tx_hash_hex)
    return { ...unsigned, r, s, v }
  },
  async landed(rpcUrl, hash) {
    const until = Date.now() + LANDING_MS
    while (Date.now() < until) {
      const receipt = await rpc(rpcUrl, 'eth_getTransactionReceipt', [hash])
      if (receipt?.status === '0x1') return
      if (receipt) throw new TransactionFailed(`transaction ${hash} is in block ${Number(receipt.blockNumber)} and reverted there`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    throw new TransactionFailed(`transaction ${hash} was not in a block within ${LANDING_MS} ms`)
  },
  spellings: (address) => [address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`],
  malformedAddresses: [
    '0x',
    '0x1234',
    'staker.eth',
    '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2',
    '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2Aa',
    '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2G',
    '19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
    // A digit's case was changed, so that the EIP-55 checksum is wrong.
    '0x19e7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
    'cosmos1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu',
  ],
  badPrepares,
  fields: fieldForgeries,
  forgeries,
  garble,
}

class TransactionFailed extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TransactionFailed'
  }
}

async function rpc(url: string, method: string, params: readonly unknown[]): Promise<Record<string, string> | null> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await response.json()) as { result?: Record<string, string> | null }).result ?? null
}
