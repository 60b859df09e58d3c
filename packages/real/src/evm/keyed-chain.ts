import { parseEther, type Wallet } from 'ethers'
import { CHAIN_ID } from './genesis.ts'
import type { Geth } from './geth.ts'
import type { EvmCall, EvmReceipt, VaultChain } from './models.ts'

/** Times a block is made for a transaction before it is given up. */
const TRIES = 20

/**
 * A node as the models want a chain: each call is a transaction that one of these keys signs, and a block is made for it.
 *
 * @param wallets whose addresses may be named; for any other one `steward` signs, since the models let anybody do what oracles do
 */
export function keyedChain(geth: Geth, steward: Wallet, wallets: readonly Wallet[]): VaultChain {
  const { rpc } = geth
  const keys = new Map([steward, ...wallets].map((wallet) => [wallet.address.toLowerCase(), wallet]))

  async function send({ from, to, data = '0x', value = 0n, gas }: EvmCall & { readonly from: string }): Promise<EvmReceipt> {
    const signer = keys.get(from.toLowerCase()) ?? steward
    const call = { from: signer.address, to, data, value: hex(value) }
    const gasLimit = gas ?? (BigInt(String(await rpc('eth_estimateGas', [call]))) * 3n) / 2n
    const nonce = Number(await rpc('eth_getTransactionCount', [signer.address, 'latest']))
    const gasPrice = BigInt(String(await rpc('eth_gasPrice'))) * 2n
    const raw = await signer.signTransaction({ type: 0, chainId: CHAIN_ID, to, data, value, nonce, gasLimit, gasPrice })
    const hash = await rpc('eth_sendRawTransaction', [raw])
    for (let tries = 0; tries < TRIES; tries++) {
      await geth.beacon.block()
      const receipt = (await rpc('eth_getTransactionReceipt', [hash])) as EvmReceipt | null
      if (receipt?.status === '0x1') return receipt
      if (receipt) throw new Error(`transaction ${hash} to ${to} was reverted`)
    }
    throw new Error(`transaction ${hash} came into none of ${TRIES} blocks`)
  }

  return {
    id: `evm:${CHAIN_ID}`,
    chainId: CHAIN_ID,
    rpc,
    send,
    async setCode(address, code) {
      const actual = await rpc('eth_getCode', [address, 'latest'])
      if (actual !== code.toLowerCase()) throw new Error(`the code at ${address} is not that of the first block`)
    },
    async fund(address, amount) {
      await send({ from: steward.address, to: address, value: typeof amount === 'bigint' ? amount : parseEther(amount) })
      return { address, balance: String(await rpc('eth_getBalance', [address, 'latest'])) }
    },
  }
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`
}
