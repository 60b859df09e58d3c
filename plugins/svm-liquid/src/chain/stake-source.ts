import type { PoolRecord, PoolValidator } from './pool.ts'

/**
 * Lamports that stay in the account of a validator besides the minimum of a delegation: its rent, as every stake account has written it
 * down since that became a constant.
 *
 * @see https://github.com/solana-program/stake/blob/main/program/src/processor.rs (v5.0.0; read 2026-11-21)
 */
const WRITTEN_RENT = 2_282_880n

/** Validator whose stake can leave a pool in one withdrawal, and the amount of it, in lamports. */
interface Source {
  readonly validator: PoolValidator
  readonly most: bigint
}

/** Reason why no stake can leave: the preferred validator is being removed and stops all others, or no validator has more than has to stay. */
export interface NoSource {
  readonly stoppedBy: string | null
}

/** Tells whether stake can be taken from a validator: whether a source was found. */
export function isSource(source: Source | NoSource): source is Source {
  return 'validator' in source
}

/**
 * Finds the validator from which the program lets stake be taken: the preferred one as long as it has some to give, else any; of those, the one with the most.
 *
 * @param minimum least delegation, in lamports
 * @see https://github.com/solana-program/stake-pool/blob/main/program/src/processor.rs (process_withdraw_stake; read 2026-11-21)
 */
export function sourceOf(record: PoolRecord, validators: readonly PoolValidator[], minimum: bigint): Source | NoSource {
  const stays = WRITTEN_RENT + minimum
  const source = (validator: PoolValidator): Source => ({ validator, most: validator.activeLamports - stays })
  const preferred = validators.find(({ vote }) => vote === record.preferredWithdraw)
  // The program overlooks what is left when that is less than a pool token's smallest part is worth, rounded up.
  const overlooked = record.supply === 0n ? 0n : (record.totalLamports + record.supply - 1n) / record.supply
  if (preferred && preferred.activeLamports > stays + overlooked)
    return preferred.active ? source(preferred) : { stoppedBy: preferred.vote }
  const most = validators
    .filter(({ active }) => active)
    .reduce<PoolValidator | null>((best, each) => (best && best.activeLamports >= each.activeLamports ? best : each), null)
  return most && most.activeLamports > stays ? source(most) : { stoppedBy: null }
}
