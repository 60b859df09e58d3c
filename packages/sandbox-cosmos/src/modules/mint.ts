import type { Context } from '../context.ts'
import { type Dec, larger, mul, one, parseDec, truncate } from '../dec.ts'
import type { ScheduleMint } from '../genesis.ts'
import { moduleAddress } from './auth.ts'
import { mintCoins } from './bank.ts'

/** A year as celestia-app counts it: 365.2425 days. See its x/mint (version 9, read 2026-11-21). */
const yearMs = 31_556_952_000n

/** The share of the supply that is minted in a year. */
export function inflationRate(ctx: Pick<Context, 'genesis' | 'time'>): Dec {
  const { mint } = ctx.genesis
  return mint.kind === 'inflation' ? parseDec(mint.inflation) : scheduledRate(mint, ctx.time)
}

/** Base units that are minted in a year. On a schedule they are fixed once a year, otherwise they follow the supply. */
export function annualProvisions(ctx: Context): Dec {
  const { genesis, state } = ctx
  const now = inflationRate(ctx) * (state.supply.get(genesis.denom) ?? 0n)
  return genesis.mint.kind === 'inflation' ? now : (state.numbers.get('provisions') ?? now)
}

/** Beginning of a block: mints for the time since the block before. What is less than a base unit is left out, as on the chain. */
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
  if (amount > 0n) mintCoins(ctx, moduleAddress(genesis, 'fee_collector'), amount)
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
