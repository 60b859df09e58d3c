import { SandboxError } from '@svc/sandbox'
import type { Bank } from './bank.ts'
import { concat, Reader, u16, u32, u64 } from './bytes.ts'
import { addressOf } from './keys.ts'
import { fromBase58, litesvm } from './litesvm.ts'
import { writeMessage } from './message.ts'
import { clockSysvar, rentSysvar, system, voteProgram } from './programs.ts'
import { wireOf } from './transactions.ts'

/** Size of a vote account. @see solana-vote-interface, VoteStateV4::size_of */
const voteSpace = 3762
/** Offset at which a version 4 vote account has its commission on inflation rewards, basis points. @see SIMD-0185 (read 2026-11-21) */
const commissionAt = 132
/** Credits for a vote that came at once, and so for a slot. @see solana-vote-interface, VOTE_CREDITS_MAXIMUM_PER_SLOT (read 2026-11-21) */
const creditsPerSlot = 16n

/** A validator, with what the engine does not keep about it. */
export interface Validator {
  readonly name: string
  readonly vote: string
  readonly identity: string
  delinquent: boolean
  /** Percent of the votes that it casts. */
  performance: number
  /** Rows of the last five epochs, oldest first: epoch, credits at its end, credits at its beginning. */
  credits: readonly (readonly [epoch: bigint, credits: bigint, before: bigint])[]
}

/** The validators that vote accounts were made for. */
export class Validators {
  readonly #bank: Bank
  readonly #all = new Map<string, Validator>()

  constructor(bank: Bank) {
    this.#bank = bank
  }

  get all(): Iterable<Validator> {
    return this.#all.values()
  }

  find(vote: string): Validator | undefined {
    return this.#all.get(vote)
  }

  /** @throws SandboxError `INVALID_INPUT` */
  create(name: string, commissionBps: number): Validator {
    if (!Number.isInteger(commissionBps) || commissionBps < 0 || commissionBps > 10_000) {
      throw new SandboxError('INVALID_INPUT', `commissionBps is ${commissionBps}: it must be an integer from 0 to 10000, 500 for 5 %`)
    }
    const vote = addressOf(`validator ${name} vote`)
    const identity = addressOf(`validator ${name} identity`)
    if (this.#all.has(vote)) throw new SandboxError('INVALID_INPUT', `there is a validator ${name} already: another one needs another name`)
    this.#makeVoteAccount(vote, identity)
    this.setCommission(vote, commissionBps)
    const validator: Validator = { name, vote, identity, delinquent: false, performance: 100, credits: [] }
    for (let back = 4n; back >= 1n; back--) addCredits(validator, this.#bank.epoch - back, 432_000n)
    this.#all.set(vote, validator)
    return validator
  }

  /** Commission on inflation rewards, in basis points. */
  commission(vote: string): number {
    return new Reader(this.#bank.existing(vote).data, commissionAt).u16()
  }

  setCommission(vote: string, bps: number): void {
    const account = this.#bank.existing(vote)
    const data = account.data.slice()
    data.set(u16(bps), commissionAt)
    this.#bank.setAccount(vote, { ...account, data })
  }

  /** Counts the votes of an epoch that is over. */
  endEpoch(epoch: bigint, slots: bigint): void {
    for (const validator of this.#all.values()) addCredits(validator, epoch, slots)
  }

  /** System CreateAccount and Vote InitializeAccount, as `VoteProgram.createAccount` of the JavaScript library sends them. */
  #makeVoteAccount(vote: string, identity: string): void {
    const payer = addressOf('payer of vote accounts')
    const lamports = this.#bank.rent(voteSpace)
    this.#bank.setAccount(payer, { lamports: lamports + 1_000_000_000n, owner: system, data: new Uint8Array(), executable: false })
    const keys = [payer, vote, identity, rentSysvar, clockSysvar, system, voteProgram].map(fromBase58)
    const node = fromBase58(identity)
    const bytes = writeMessage({
      signers: 3,
      readonlySigners: 1,
      readonlyOthers: 4,
      keys,
      lifetime: fromBase58(this.#bank.hashes.latest),
      instructions: [
        { program: 5, accounts: [0, 1], data: concat(u32(0), u64(lamports), u64(BigInt(voteSpace)), fromBase58(voteProgram)) },
        { program: 6, accounts: [1, 3, 4, 2], data: concat(u32(0), node, node, node, [0]) },
      ],
    })
    const done = this.#bank.svm.sendTransaction(wireOf(bytes))
    if (done instanceof litesvm.FailedTransactionMetadata) throw new Error(`the vote program refused an account: ${done}`)
  }
}

function addCredits(validator: Validator, epoch: bigint, slots: bigint): void {
  const before = validator.credits.at(-1)?.[1] ?? 0n
  const earned = validator.delinquent ? 0n : (slots * creditsPerSlot * BigInt(validator.performance)) / 100n
  validator.credits = [...validator.credits.slice(-4), [epoch, before + earned, before]]
}
