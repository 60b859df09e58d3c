import type { Moved } from '@svc/contract'
import { type Check, shown } from '../check.ts'
import type { EngineBook } from './options.ts'

/** Change of the engine's books by one transaction, without its fee. In base units. */
export interface Change {
  /** By asset, what came less what went; without those of which nothing did. */
  readonly holds: Readonly<Record<string, bigint>>
  readonly staked: bigint
  /** null where the engine fixes no amount. */
  readonly freed: bigint | null
}

/** Amounts that were told as the engine has them, and such that were null with a reason. */
export interface ToldAmounts {
  exact: number
  open: number
}

/** Computes the change of the books, without the fee; a sum that became smaller counts as no growth. */
export function changeOf(before: EngineBook, after: EngineBook, fee: bigint): Change {
  const assets = new Set([...Object.keys(before.holds), ...Object.keys(after.holds)])
  const holds = [...assets].map((asset) => {
    const gain = (after.holds[asset] ?? 0n) - (before.holds[asset] ?? 0n)
    return [asset, asset === 'native' ? gain + fee : gain] as const
  })
  const grown = (from: bigint, to: bigint) => (to > from ? to - from : 0n)
  return {
    holds: Object.fromEntries(holds.filter(([, gain]) => gain !== 0n)),
    staked: grown(before.staked, after.staked),
    freed: after.freed === null || before.freed === null ? null : grown(before.freed, after.freed),
  }
}

/** A line of the books, and the moves that have to add up to it, each kind with its sign. */
interface Line {
  readonly what: string
  readonly asset: string
  readonly signs: Readonly<Partial<Record<Moved['moves'][number]['kind'], bigint>>>
  readonly change: bigint | null
}

/** Compares the reported moves with the change of the books: for each asset the balance of arrivals and departures, and the amounts staked and freed. */
export function judge(check: Check, name: string, moved: Moved | null, change: Change, told: ToldAmounts): void {
  if (moved === null) {
    check.fail(`${name}: what it moved is told`)
    return
  }
  const passing = moved.moves.filter(({ kind }) => kind === 'leaves' || kind === 'arrives').map(({ asset }) => asset)
  const assets = new Set([...Object.keys(change.holds), ...passing])
  const lines: readonly Line[] = [
    ...[...assets].map((asset) => ({
      what: `what it holds of ${asset}`,
      asset,
      signs: { arrives: 1n, leaves: -1n },
      change: change.holds[asset] ?? 0n,
    })),
    { what: 'staked', asset: 'native', signs: { staked: 1n }, change: change.staked },
    { what: 'freed', asset: 'native', signs: { freed: 1n }, change: change.freed },
  ]
  for (const line of lines) {
    const own = moved.moves.filter(({ kind, asset }) => asset === line.asset && line.signs[kind] !== undefined)
    const open = own.filter(({ amount }) => amount === null)
    if (open.length > 0) {
      told.open++
      check.ok(
        open.every(({ reason }) => (reason ?? '').length > 0),
        `${name}: ${line.what} is null with its reason`,
        shown(open),
      )
      continue
    }
    if (line.change === null) {
      check.equal(own, [], `${name}: no amount is told of ${line.what}, which the engine has not fixed`)
      continue
    }
    if (own.length > 0) told.exact++
    const sum = own.reduce((total, { kind, amount }) => total + (line.signs[kind] ?? 0n) * (amount ?? 0n), 0n)
    check.equal(sum, line.change, `${name}: ${line.what} is told as the engine has it in its books`)
  }
}
