import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { id, Transaction, Wallet } from 'ethers'
import type { Stage } from '../node.ts'
import { until } from '../programs.ts'
import { recordAgain } from '../record-again.ts'
import type { Report } from '../report.ts'
import { CHAIN_ID } from './genesis.ts'
import { startGeth } from './geth.ts'

/** Names of recordings of a chain without a final block that name nothing of it. */
const WITHOUT_FINAL = /^(block-(safe|finalized)-none|count-finalized-none)$/
/** Names of recordings of a chain with one that name nothing of it: envelope, blocks by number, accounts that nobody has, bytes that no pool takes. */
const ANYWHERE =
  /^(batch-empty|block-(bad-number|by-hash-unknown|future|latest|safe|finalized)|call-(bad-address|eip1898-unknown|future-block)|chain-id|code-none|count-future|fee-history(-bad)?|gas-price|logs-(beyond-head|empty|five-topics|from-beyond-head|hash-and-range|reversed|unknown-hash)|no-version|not-json|(receipt|tx)-unknown|send-(cut|odd-hex|no-0x|no-params|trailing|type-5|unsigned|unprotected|other-chain|high-s|bad-signature|insufficient-empty)|syncing|tip)$/
const GWEI = 1_000_000_000n
/** Blocks until one is final, and a few more. */
const BLOCKS = 14
/** Seconds that a node may take to index a block that it has. */
const INDEXED = 20

/** Asks a geth of its own what the recordings ask: word by word where that fits any chain, and with transactions made anew where it does not. */
export async function recordGeth(stage: Stage, report: Report): Promise<void> {
  const folder = join(stage.folder, 'recorded')
  await mkdir(folder, { recursive: true })
  const [wallet, other] = [new Wallet(id('real recorded')), new Wallet(id('real recorded other'))]
  const geth = await startGeth(stage.programs, join(stage.built, 'geth'), { folder, rich: [wallet.address, other.address] })
  const { recorder } = stage
  await geth.beacon.blocks(2, { empty: true })
  await recordAgain(report.within('without-final'), recorder, geth.url, WITHOUT_FINAL)
  geth.beacon.finalise()
  await geth.beacon.blocks(BLOCKS, { empty: true })
  await recordAgain(report.within('final'), recorder, geth.url, ANYWHERE)

  const changed: string[] = []
  const recordings = new Map((await recorder.known()).map((each) => [each.name, each.situation]))
  const ask = async (name: string, method: string, ...params: readonly unknown[]) => {
    const body = { jsonrpc: '2.0', id: 1, method, params }
    const situation = recordings.get(name)
    if (situation === undefined) throw new Error(`There is no recording ${name} of geth.`)
    if (await recorder.again(geth.url, name, situation, { http: 'POST /', body })) changed.push(name)
  }
  await ask('method-off', 'personal_listAccounts')
  await ask('method-unknown', 'txpool_statusByHash')
  const transfer = (nonce: number, gasPrice: bigint) =>
    wallet.signTransaction({ type: 0, chainId: CHAIN_ID, nonce, gasPrice, gasLimit: 21_000n, to: other.address, value: 1n })
  const hashOf = async (raw: string) => String(await geth.rpc('eth_sendRawTransaction', [raw]))

  const first = await transfer(0, 5n * GWEI)
  await ask('send-accepted', 'eth_sendRawTransaction', first)
  await ask('send-twice-in-pool', 'eth_sendRawTransaction', first)
  await ask(
    'send-replacement-same-price',
    'eth_sendRawTransaction',
    await wallet.signTransaction({
      type: 0,
      chainId: CHAIN_ID,
      nonce: 0,
      gasPrice: 5n * GWEI,
      gasLimit: 21_000n,
      to: other.address,
      value: 2n,
    }),
  )
  await ask('send-replacement-below-bump', 'eth_sendRawTransaction', await transfer(0, (5n * GWEI * 110n) / 100n - 1n))
  const bumped = await transfer(0, (5n * GWEI * 110n) / 100n)
  await ask('send-replacement-bump', 'eth_sendRawTransaction', bumped)
  const { hash } = Transaction.from(bumped)
  await ask('tx-pending', 'eth_getTransactionByHash', hash)
  await ask('receipt-pending', 'eth_getTransactionReceipt', hash)
  const queued = await hashOf(await transfer(5, 5n * GWEI))
  await ask('tx-queued', 'eth_getTransactionByHash', queued)
  await geth.beacon.block()
  await until('the receipt', INDEXED, async () => geth.rpc('eth_getTransactionReceipt', [hash]))
  await ask('tx-mined', 'eth_getTransactionByHash', hash)
  await ask('receipt-mined', 'eth_getTransactionReceipt', hash)
  await ask('send-twice-mined', 'eth_sendRawTransaction', bumped)
  await ask('send-nonce-too-low', 'eth_sendRawTransaction', first)
  report.say(`transactions made anew: ${changed.length} answers of another form: ${changed.join(', ') || 'none'}`)
  await geth.stop()
}
