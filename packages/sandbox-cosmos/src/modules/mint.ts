import { parseUnits } from '@svc/sandbox'
import { type Context, coinText, emit } from '../context.ts'
import { type Dec, formatDec, larger, mul, one, parseDec, quo, toDec, truncate } from '../dec.ts'
import type { CosmosGenesis, EpochMint, ScheduleMint } from '../genesis.ts'
import { moduleAddress } from './auth.ts'
import { balanceOf, mintCoins, moveBetween } from './bank.ts'

/** A year as celestia-app counts it: 365.2425 days. See its x/mint (version 9, read 2026-11-21). */
const yearMs = 31_556_952_000n

/** A year as yields of epochs are told: 365 days, in seconds. */
const yearSeconds = 31_536_000n

/** Returns the share of the supply that is minted in a year. */
export function inflationRate(ctx: Context): Dec {
  const { mint, denom } = ctx.genesis
  if (mint.kind === 'inflation') return parseDec(mint.inflation)
  if (mint.kind === 'schedule') return scheduledRate(mint, ctx.time)
  return quo(annualProvisions(ctx), toDec(ctx.state.supply.get(denom) ?? 1n))
}

/**
 * Returns the base units that are minted in a year. On a schedule they are fixed once a year; by epochs and by a rate they follow from the genesis and the stake; otherwise
 * they follow the supply.
 */
export function annualProvisions(ctx: Context): Dec {
  const { genesis, state } = ctx
  const { mint } = genesis
  if (mint.kind === 'epoch') return (mul(epochProvisions(genesis, mint), parseDec(mint.stakers)) * yearSeconds) / BigInt(mint.epoch.seconds)
  if (mint.kind === 'rate') return mul(parseDec(mint.rate), toDec(bondedTokens(ctx)))
  const now = inflationRate(ctx) * (state.supply.get(genesis.denom) ?? 0n)
  return mint.kind === 'inflation' ? now : (state.numbers.get('provisions') ?? now)
}

/** Returns the base units that are minted in an epoch, of which the stakers get their share. */
export function epochProvisions({ decimals }: CosmosGenesis, { perEpoch }: EpochMint): Dec {
  return toDec(parseUnits(perEpoch, decimals))
}

/** Mints coins at the beginning of a block for the time since the block before. A fraction of a base unit is left out, as on the chain. */
export function mintProvisions(ctx: Context, elapsedMs: number): void {
  const { genesis, state } = ctx
  if (genesis.mint.kind === 'schedule') {
    const year = yearsSince(genesis.mint, ctx.time)
    if (state.numbers.get('provisionsYear') !== year) {
      state.numbers.set('provisions', inflationRate(ctx) * (state.supply.get(genesis.denom) ?? 0n))
      state.numbers.set('provisionsYear', year)
    }
  }
  const amount = truncate((annualProvisions(ctx) * BigInt(elapsedMs)) / yearMs)
  if (amount === 0n) return
  const minter = moduleAddress(genesis, 'mint')
  mintCoins(ctx, minter, amount)
  emit(ctx, 'coin_received', { receiver: minter, amount: coinText(ctx, amount) })
  emit(ctx, 'coinbase', { minter, amount: coinText(ctx, amount) })
  moveBetween(ctx, 'mint', 'fee_collector', amount)
  emit(ctx, 'mint', {
    ...(genesis.mint.kind === 'inflation'
      ? { bonded_ratio: formatDec(bondedRatio(ctx)), inflation: formatDec(inflationRate(ctx)) }
      : { inflation_rate: formatDec(inflationRate(ctx)) }),
    annual_provisions: formatDec(annualProvisions(ctx)),
    amount: String(amount),
  })
}

function bondedRatio(ctx: Context): Dec {
  return quo(toDec(bondedTokens(ctx)), toDec(ctx.state.supply.get(ctx.genesis.denom) ?? 1n))
}

function bondedTokens({ state, genesis }: Context): bigint {
  return balanceOf(state, moduleAddress(genesis, 'bonded_tokens_pool'), genesis.denom)
}

function scheduledRate(mint: ScheduleMint, time: number): Dec {
  let rate = parseDec(mint.initial)
  for (let year = yearsSince(mint, time); year > 0n; year--) rate = mul(rate, one - parseDec(mint.disinflation))
  return larger(rate, parseDec(mint.floor))
}

function yearsSince({ since }: ScheduleMint, time: number): bigint {
  const elapsed = BigInt(time - Date.parse(since))
  return elapsed < 0n ? 0n : elapsed / yearMs
}
