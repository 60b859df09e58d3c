import { exactNumber, formatAmount, parseAmount } from '@svc/contract'

const WEI = 18
/** Least price of gas that is set, in wei, and how much more it may be. */
const LEAST_PRICE = 10 ** 9
const MOST_MORE = 10 ** 11

/** The sandbox's chain, as far as it is asked and acted on here, past every proxy. */
interface Chain {
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>
}

/** A wallet in the middle of its life, as conformance has it, which is built with what this package tests. */
interface Life {
  readonly rpcUrl: string
  readonly player: {
    fund(amount: string): Promise<void>
    position(): Promise<{ readonly staked: string | null }>
  }
  operate(name: string, body?: Readonly<Record<string, unknown>>): Promise<unknown>
  random(below: number): number
}

/** Reads the fee of a transaction in wei, from the chain's own receipt. */
export async function evmFee(chain: Chain, txHash: string): Promise<bigint> {
  const { gasUsed, effectiveGasPrice } = (await chain.rpc('eth_getTransactionReceipt', [txHash])) as Record<string, string>
  return BigInt(gasUsed ?? '') * BigInt(effectiveGasPrice ?? '')
}

/** Lists the events that happen on every EVM chain by themselves, for conformance's group `moves`. */
export function evmEvents(chain: (life: Life) => Chain) {
  return [
    { name: 'blocks pass', run: ({ operate }: Life) => operate('mine', { blocks: 12 }) },
    { name: 'somebody sends it coins', run: ({ player }: Life) => player.fund('3.000000000000000001') },
    {
      name: 'gas has another price',
      run: (life: Life) => chain(life).rpc('anvil_setNextBlockBaseFeePerGas', [`0x${(LEAST_PRICE + life.random(MOST_MORE)).toString(16)}`]),
    },
  ]
}

/** Draws an amount between two numbers of tokens, of which any digit may be set, in wei. */
export function someWei(random: Life['random'], most: number, least = 1): bigint {
  return BigInt(least + random(most - least)) * 10n ** 18n + BigInt(random(10 ** 9)) * 10n ** 9n + BigInt(random(10 ** 9))
}

/** Ways in which a caller may write an amount in wei. */
export const written = {
  exactly: (wei: bigint) => exactNumber(formatAmount(wei, WEI)),
  byDouble: (wei: bigint) => Number(formatAmount(wei, WEI)),
}

/** Reads the whole amount that the wallet's balance shows as staked, in wei. @throws RangeError where that is nothing */
export async function stakedWei({ player }: Life): Promise<bigint> {
  const { staked } = await player.position()
  if (staked === null || staked === '0') throw new RangeError('nothing is staked')
  return parseAmount(staked, WEI)
}

/** Fees by sender in the blocks that were looked through, by the chain's address: a life asks again and again. */
const ledgers = new Map<string, { next: number; readonly fees: Map<string, bigint> }>()

/** Sums the fees in wei that an address has paid since the chain began, by the receipts of its transactions. */
export async function paidFees(rpcUrl: string, address: string): Promise<bigint> {
  const head = Number(await ask<string>(rpcUrl, 'eth_blockNumber', []))
  const record = ledgers.get(rpcUrl) ?? { next: 0, fees: new Map<string, bigint>() }
  ledgers.set(rpcUrl, record)
  for (; record.next <= head; record.next++)
    for (const { from, gasUsed, effectiveGasPrice } of await ask<readonly Receipt[]>(rpcUrl, 'eth_getBlockReceipts', [hex(record.next)])) {
      const sender = from.toLowerCase()
      record.fees.set(sender, (record.fees.get(sender) ?? 0n) + BigInt(gasUsed) * BigInt(effectiveGasPrice))
    }
  return record.fees.get(address.toLowerCase()) ?? 0n
}

interface Receipt {
  readonly from: string
  readonly gasUsed: string
  readonly effectiveGasPrice: string
}

function hex(block: number): string {
  return `0x${block.toString(16)}`
}

async function ask<T>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}
