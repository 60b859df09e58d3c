import { present } from '@svc/sandbox'
import { Blockhashes } from './blockhashes.ts'
import { asAddress, asLamports, type LiteSVM, litesvm } from './litesvm.ts'
import { clockSysvar, nativeLoader, sysvarOwner } from './programs.ts'
import type { SvmAccount, SvmHead } from './types.ts'

/** Slots of an epoch. @see solana-epoch-schedule, DEFAULT_SLOTS_PER_EPOCH */
export const slotsPerEpoch = 432_000n
/** Length of a slot. @see SIMD-0525, in force since epoch 1020 (read 2026-11-21) */
export const slotMs = 350n

/** Before the names of programs that are built in; without it they are those that the validator has (packages/testing/recordings/solana). */
const engineName = 'solana_'

/** Epoch in which the chain begins: an epoch after SIMD-0525, well within it. Heights are lower than slots, as slots were skipped. */
const firstEpoch = 1060n
const firstSlot = firstEpoch * slotsPerEpoch + 43_200n
const skippedSlots = 22_000_000n

/**
 * The engine, with what it has not: slots that follow each other, blocks with their hashes, a clock that goes with them, and epochs.
 * There is one at a time; of the past are kept hashes, and the accounts that changed since the last rooted slot.
 */
export class Bank {
  readonly svm: LiteSVM
  readonly hashes = new Blockhashes()
  /** Runs when the last slot of an epoch is over, before anything else in the next one. */
  onEpoch: (ended: bigint) => void = () => {}
  /** Runs at the end of every block. */
  onBlock: () => void = () => {}
  /** Runs at the end of every block, after all else, with the accounts that were written in it. */
  onWritten: (addresses: readonly string[]) => void = () => {}
  /** Newest slot that is rooted: of what was before, only the end is kept. */
  rooted: () => bigint = () => this.#slot
  readonly #past = new Map<string, { readonly slot: bigint; readonly account: SvmAccount | undefined }[]>()
  readonly #written = new Set<string>()
  #slot = firstSlot
  #height = firstSlot - skippedSlots
  #ms: bigint
  #epochStartMs: bigint

  /** @param time milliseconds since 1970 */
  constructor(time: bigint) {
    // Signatures, ages and repetitions are looked at before a transaction gets here.
    this.svm = new litesvm.LiteSVM().withSigverify(false).withBlockhashCheck(false).withTransactionHistory(0n)
    this.svm.setEpochSchedule(new litesvm.EpochSchedule(slotsPerEpoch, slotsPerEpoch, false, 0n, 0n))
    this.#ms = time
    this.#epochStartMs = time - (firstSlot - firstEpoch * slotsPerEpoch) * slotMs
    this.#writeClock()
    this.#endBlock()
  }

  get slot(): bigint {
    return this.#slot
  }

  get height(): bigint {
    return this.#height
  }

  get epoch(): bigint {
    return this.#slot / slotsPerEpoch
  }

  /** Milliseconds since 1970. */
  get time(): bigint {
    return this.#ms
  }

  head(): SvmHead {
    return { block: Number(this.#height), timestamp: Number(this.#ms / 1000n), slot: Number(this.#slot), epoch: Number(this.epoch) }
  }

  /** Makes a block with what happens in it. */
  block<Result>(run: () => Result): Result {
    this.#enter(this.#slot + 1n)
    try {
      return run()
    } finally {
      this.#endBlock()
    }
  }

  /** Lets slots pass, each with an empty block, through the ends of epochs. */
  moveTo(slot: bigint): void {
    if (slot <= this.#slot) return
    this.#enter(slot)
    this.#endBlock()
  }

  account(address: string): SvmAccount | undefined {
    const entry = this.svm.getAccount(asAddress(address))
    if (!entry.exists) return undefined
    const { lamports, programAddress, data, executable } = entry
    return this.#onChain({ lamports, owner: programAddress, data: Uint8Array.from(data), executable })
  }

  /** An account that the chain surely has. @throws Error when it has not */
  existing(address: string): SvmAccount {
    return present(this.account(address), `an account ${address}`)
  }

  /** As it was at the end of a slot that is not longer ago than what is not rooted. */
  accountAt(address: string, slot: bigint): SvmAccount | undefined {
    if (address === clockSysvar) return { ...this.existing(address), data: this.#clockAt(slot) }
    const changed = this.#past.get(address)?.find((change) => change.slot > slot)
    return changed === undefined ? this.account(address) : changed.account
  }

  /** Notes accounts as they are, before what is about to change them in this slot. */
  remember(addresses: readonly string[]): void {
    for (const address of addresses) {
      const past = (this.#past.get(address) ?? []).filter(({ slot }) => slot > this.rooted())
      if (past.at(-1)?.slot !== this.#slot) past.push({ slot: this.#slot, account: this.account(address) })
      this.#past.set(address, past)
    }
  }

  /** Notes accounts that something in this slot has written, changed or not. */
  wrote(addresses: readonly string[]): void {
    for (const address of addresses) this.#written.add(address)
  }

  /** Writes an account; one without lamports is gone. */
  setAccount(address: string, { lamports, owner, data, executable }: SvmAccount): void {
    this.remember([address])
    this.wrote([address])
    this.svm.setAccount({
      address: asAddress(address),
      lamports: asLamports(lamports),
      programAddress: asAddress(owner),
      data: Uint8Array.from(data),
      executable,
      space: BigInt(data.length),
    })
  }

  accountsOf(program: string): { address: string; account: SvmAccount }[] {
    return this.svm.getProgramAccounts(asAddress(program)).map(({ address, lamports, programAddress, data, executable }) => ({
      address,
      account: { lamports, owner: programAddress, data: Uint8Array.from(data), executable },
    }))
  }

  rent(space: number): bigint {
    return this.svm.minimumBalanceForRentExemption(BigInt(space))
  }

  /** The engine gives a sysvar one lamport, where a chain gives it its rent, and a longer name to a program that is built in. */
  #onChain(account: SvmAccount): SvmAccount {
    if (account.owner === sysvarOwner) return { ...account, lamports: this.rent(account.data.length) }
    const isLong = account.owner === nativeLoader && Buffer.from(account.data).toString('latin1').startsWith(engineName)
    return isLong ? { ...account, data: account.data.slice(engineName.length) } : account
  }

  #enter(slot: bigint): void {
    while (this.epoch < slot / slotsPerEpoch) {
      const ended = this.epoch
      this.#pass((ended + 1n) * slotsPerEpoch)
      this.#epochStartMs = this.#ms
      this.#writeClock()
      this.onEpoch(ended)
      if (this.#slot < slot) this.#endBlock()
    }
    this.#pass(slot)
    this.#writeClock()
  }

  #pass(slot: bigint): void {
    const slots = slot - this.#slot
    this.#slot = slot
    this.#height += slots
    this.#ms += slots * slotMs
  }

  #writeClock(): void {
    this.svm.setClock(new litesvm.Clock(this.#slot, this.#epochStartMs / 1000n, this.epoch, this.epoch + 1n, this.#ms / 1000n))
  }

  /** The clock of a slot that is over, as its sysvar has it: slot, start of the epoch, epoch, epoch of the leader schedule, time. */
  #clockAt(slot: bigint): Uint8Array {
    const epoch = slot / slotsPerEpoch
    const secondsAt = (of: bigint) => (this.#ms - (this.#slot - of) * slotMs) / 1000n
    const data = Buffer.alloc(40)
    for (const [index, value] of [slot, secondsAt(epoch * slotsPerEpoch), epoch, epoch + 1n, secondsAt(slot)].entries())
      data.writeBigUInt64LE(value, index * 8)
    return data
  }

  #endBlock(): void {
    this.onBlock()
    this.svm.expireBlockhash()
    this.hashes.register(this.svm.latestBlockhash(), this.#height)
    this.onWritten([...this.#written])
    this.#written.clear()
  }
}
