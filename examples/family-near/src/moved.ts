import type { Moved } from '@svc/contract'
import type { NearReceipt } from './kit/index.ts'
import type { PoolNetwork } from './network.ts'

// Lines that a pool logs. https://github.com/near/core-contracts/blob/1c58c1f/staking-pool/src/internal.rs (read 2026-11-23)
const STAKING = /^@(\S+) staking (\d{1,39})\. Received \d+ new staking shares\./
const UNSTAKING = /^@(\S+) unstaking (\d{1,39})\. Spent \d+ staking shares\./
const WITHDRAWING = /^@(\S+) withdrawing (\d{1,39})\. /

/** What a transaction moved, by what the pool has logged of it. */
export function moved({ pool }: PoolNetwork, { signer, receiver, deposit, logs, isWhole }: NearReceipt): Moved {
  const sum = (form: RegExp) =>
    logs.reduce((total, line) => {
      const [, account, amount] = form.exec(line) ?? []
      return account === signer && amount !== undefined ? total + BigInt(amount) : total
    }, 0n)
  if (receiver !== pool) return { moves: [], objectIds: [] }
  const [staked, freed, paid] = [sum(STAKING), sum(UNSTAKING), isWhole ? sum(WITHDRAWING) : 0n]
  const moves = [
    { kind: 'leaves', amount: deposit },
    { kind: 'staked', amount: staked },
    { kind: 'freed', amount: freed },
    { kind: 'arrives', amount: paid },
  ] as const
  return {
    moves: moves.flatMap(({ kind, amount }) => (amount > 0n ? [{ kind, amount, asset: 'native' }] : [])),
    objectIds: [],
    // Whole shares only: a yocto may stay unstaked, and a yocto more may be freed.
    cuts: ['staked'],
    adds: { freed: 1n },
  }
}
