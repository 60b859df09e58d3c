import { ChainError, sdk } from '../errors.ts'

/** Counts gas against a limit. */
export class GasMeter {
  /** Costs of the SDK's default auth parameters (version 0.50, read 2026-11-21). */
  static readonly perByte = 10n
  static readonly perSignature = 1000n
  /**
   * Gas of the checks for each byte that the periods of a vesting account take in it, and of a delegation, which keeps count of them. Measured on gaiad v29 on 2026-11-28:
   * 51 a byte of a claim and of an exit, 120 of a stake.
   */
  static readonly perPeriodByte = 51n
  static readonly perDelegatedPeriodByte = 69n

  readonly limit: bigint | undefined
  #used = 0n

  /** @param limit undefined counts without an end, as simulations do */
  constructor(limit: bigint | undefined) {
    this.limit = limit
  }

  get used(): bigint {
    return this.#used
  }

  /** @throws ChainError out of gas */
  consume(where: string, amount: bigint): void {
    this.#used += amount
    if (this.limit === undefined || this.#used <= this.limit) return
    throw new ChainError(sdk.outOfGas, `out of gas in location: ${where}; gasWanted: ${this.limit}, gasUsed: ${this.#used}`)
  }
}
