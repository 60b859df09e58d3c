import type { Context } from '../context.ts'
import { type Dec, larger, mul, one, parseDec, quo, toDec } from '../dec.ts'
import type { CosmosGenesis, FeeMarket } from '../genesis.ts'
import type { State } from '../state.ts'

/** Returns the lowest price of a unit of gas: the fee market's base price, or this node's minimum. */
export function gasPrice(genesis: CosmosGenesis, state: State): Dec {
  const { fees } = genesis
  if (fees.kind === 'minimum') {
    return larger(parseDec(fees.nodePrice), parseDec(fees.networkPrice))
  }
  return state.numbers.get('basePrice') ?? parseDec(fees.minBasePrice)
}

/** Sets the base price, as a rush of other transactions would. */
export function setBasePrice(state: State, price: Dec): void {
  state.numbers.set('basePrice', price)
}

/**
 * Updates the base price at the end of a block: up after a block that was more than half full, and down after one that was less.
 *
 * @see skip-mev/feemarket, EIP-1559 with a window of one block and a fixed learning rate (read 2026-11-21)
 */
export function updateBasePrice(ctx: Context, fees: FeeMarket, blockGas: bigint): void {
  const target = toDec(BigInt(fees.maxBlockGas) / 2n)
  const adjustment = one + mul(parseDec(fees.learningRate), quo(toDec(blockGas) - target, target))
  const price = mul(gasPrice(ctx.genesis, ctx.state), adjustment)
  setBasePrice(ctx.state, larger(price, parseDec(fees.minBasePrice)))
}
