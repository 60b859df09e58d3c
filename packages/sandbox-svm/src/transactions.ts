import { present } from '@svc/sandbox'
import type { Bank } from './bank.ts'
import { feeOf } from './budget.ts'
import { concat } from './bytes.ts'
import { type Failure, failureOf } from './failure.ts'
import { hasSigned, sha256 } from './keys.ts'
import type { Ledger } from './ledger.ts'
import { type FailedTransactionMetadata, fromBase58, type Transaction, type TransactionMetadata, toBase58 } from './litesvm.ts'
import { loadedBytes } from './loaded.ts'
import { isWritable, keyAt, type Message, readMessage, type WireTransaction, withLifetime } from './message.ts'
import { advanced, allows, nonceOf } from './nonce.ts'
import type { SvmAccount } from './types.ts'

/** Outcome of a transaction that ran, or would run. */
export interface Outcome {
  /** Undefined when it succeeded. */
  readonly failure: Failure | undefined
  readonly logs: readonly string[]
  readonly units: bigint
  readonly returnData: { readonly program: string; readonly data: Uint8Array } | undefined
}

export interface Simulation extends Outcome {
  /** Accounts as they would be, as far as the transaction could write them. */
  readonly accounts: ReadonlyMap<string, SvmAccount>
}

/** A transaction with another one in its place, which the engine can run; made by the stake pool's stand-in. */
export interface Replacement {
  readonly message: Uint8Array
  /** Lamports of fee that the other one costs more. */
  readonly extraFee: bigint
  /** The outcome as the transaction's own. */
  restore(outcome: Outcome): Outcome
  /** Data of the accounts that the transaction changes besides, if it succeeds. */
  readonly changes: ReadonlyMap<string, Uint8Array>
  /** Tells whether the transaction would have run out of compute units where the other one has not. */
  isExhausted(outcome: Outcome): boolean
  /** The one that fails for want of compute units. */
  exhausted(): Replacement
}

/** Looks for what the engine cannot run by itself; undefined when there is nothing of it. */
type Replace = (message: Message, lifetime: Uint8Array) => Replacement | undefined

/** Takes transactions in as a validator does: age, repetition, then the engine; and remembers every one that got into a block. */
export class Transactions {
  readonly #bank: Bank
  readonly #ledger: Ledger
  readonly #replace: Replace

  constructor(bank: Bank, ledger: Ledger, replace: Replace) {
    this.#bank = bank
    this.#ledger = ledger
    this.#replace = replace
  }

  /** Does something in a block of its own, as if a transaction had done it. @returns its signature, which is made up */
  record(run: () => void): string {
    return this.#bank.block(() => {
      run()
      const seed = sha256(Buffer.from(`airdrop ${this.#ledger.count}`), fromBase58(this.#bank.hashes.latest))
      const signature = toBase58(concat(seed, sha256(seed)))
      this.#ledger.add({ signature, slot: this.#bank.slot, time: this.#bank.time / 1000n, failure: undefined, execution: undefined })
      return signature
    })
  }

  /** Simulates a transaction in the next block. Signatures are the caller's business. */
  simulate(transaction: WireTransaction, options: { anyLifetime?: boolean } = {}): Simulation {
    const refusal = this.#refusal(transaction, options.anyLifetime === true)
    if (refusal !== undefined) return { failure: refusal, logs: [], units: 0n, returnData: undefined, accounts: new Map() }
    return this.#run(transaction.message, (wire) => {
      const done = this.#bank.svm.simulateTransaction(wire)
      if (!('postAccounts' in done)) return { ...this.#named(outcomeOf(done), transaction.message), accounts: new Map() }
      const written = done.postAccounts().map(({ address, lamports, programAddress, data, executable }) => {
        return [address, { lamports, owner: programAddress, data: Uint8Array.from(data), executable }] as const
      })
      return { ...outcomeOf(done.meta()), accounts: new Map<string, SvmAccount>(written) }
    })
  }

  /** Puts a transaction into a block of its own. One that cannot pay, or is old or known, leaves no trace. */
  send(transaction: WireTransaction): Outcome & { landed: boolean } {
    return this.#bank.block(() => {
      const rejection = this.#refusal(transaction, false)
      if (rejection !== undefined) return { failure: rejection, logs: [], units: 0n, returnData: undefined, landed: false }
      const { message } = transaction
      const state = () => message.keys.map((key) => this.#bank.account(key))
      const before = state()
      const loaded = loadedBytes(this.#bank, message)
      const writable = message.keys.filter((_, index) => isWritable(message, index))
      this.#bank.remember(writable)
      const nonce = this.#nonce(message)
      const latest = this.#bank.hashes.latest
      const outcome = this.#run(
        message,
        (wire) => ({ ...this.#named(outcomeOf(this.#bank.svm.sendTransaction(wire)), message), accounts: new Map() }),
        true,
      )
      const landed = outcome.failure === undefined || before[0]?.lamports !== this.#bank.account(keyAt(message, 0))?.lamports
      if (!landed) return { ...outcome, landed }
      // Of one that fails in a block only the account of who pays is written.
      this.#bank.wrote(outcome.failure === undefined ? writable : [keyAt(message, 0)])
      // The engine takes the nonce back with everything else that a failed transaction did; the chain advances it.
      if (outcome.failure !== undefined && nonce !== undefined) {
        this.#bank.setAccount(nonce, advanced(this.#bank.existing(nonce), latest))
      }
      const { failure, logs, units } = outcome
      const [slot, time] = [this.#bank.slot, this.#bank.time / 1000n]
      const execution = { transaction, fee: feeOf(message), before, after: state(), logs, units, loaded }
      this.#ledger.add({ signature: signatureOf(transaction), slot, time, failure, execution })
      return { ...outcome, landed }
    })
  }

  /** Address of the nonce account by which a message is recent; undefined when it is not, or by a blockhash. */
  #nonce(message: Message): string | undefined {
    if (this.#bank.hashes.lastValidHeight(message.lifetime) !== undefined) return undefined
    const nonce = nonceOf(message)
    if (nonce === undefined) return undefined
    const account = this.#bank.account(nonce.account)
    return allows(account, message, nonce.authorities, this.#bank.hashes.latest) ? nonce.account : undefined
  }

  #refusal(transaction: WireTransaction, anyLifetime: boolean): Failure | undefined {
    if (anyLifetime) return undefined
    const { message } = transaction
    if (this.#bank.hashes.lastValidHeight(message.lifetime) === undefined && this.#nonce(message) === undefined) return 'BlockhashNotFound'
    return this.#ledger.has(signatureOf(transaction)) ? 'AlreadyProcessed' : undefined
  }

  /** The engine calls a program that is not there one that cannot be run. */
  #named(outcome: Outcome, { keys, instructions }: Message): Outcome {
    if (outcome.failure !== 'InvalidProgramForExecution') return outcome
    const missing = instructions.some(({ program }) => this.#bank.account(keys[program] ?? '') === undefined)
    return missing ? { ...outcome, failure: 'ProgramAccountNotFound' } : outcome
  }

  /** Runs a message under the latest hash, so that a nonce gets the value that the chain would give it. */
  #run(message: Message, run: (wire: Transaction) => Simulation, keep = false): Simulation {
    const lifetime = fromBase58(this.#bank.hashes.latest)
    const substitute = this.#replace(message, lifetime)
    if (substitute === undefined) return run(wireOf(withLifetime(message, lifetime)))
    const payer = keyAt(message, 0)
    const before = this.#bank.account(payer)
    const credit = ({ extraFee }: Replacement) => {
      if (before !== undefined) this.#bank.setAccount(payer, { ...before, lamports: before.lamports + extraFee })
    }
    credit(substitute)
    const replacement = this.#isExhausted(substitute) ? substitute.exhausted() : substitute
    credit(replacement)
    const funded = this.#bank.account(payer)
    const outcome = run(wireOf(replacement.message))
    const untouched = this.#bank.account(payer)?.lamports === funded?.lamports
    if (before !== undefined && (!keep || (outcome.failure !== undefined && untouched))) this.#bank.setAccount(payer, before)
    if (outcome.failure !== undefined) return { ...replacement.restore(outcome), accounts: new Map() }
    const accounts = new Map(outcome.accounts)
    for (const [address, data] of replacement.changes) {
      const account = { ...(accounts.get(address) ?? this.#bank.existing(address)), data }
      accounts.set(address, account)
      if (keep) this.#bank.setAccount(address, account)
    }
    return { ...replacement.restore(outcome), accounts }
  }

  #isExhausted(replacement: Replacement): boolean {
    const trial = this.#bank.svm.simulateTransaction(wireOf(replacement.message))
    return replacement.isExhausted(outcomeOf('postAccounts' in trial ? trial.meta() : trial))
  }
}

/** Returns the first signature of a transaction whose indexes were checked; the transaction is known by it. */
export function signatureOf({ signatures }: WireTransaction): string {
  return toBase58(present(signatures[0], 'the signature of who pays'))
}

/** Tells whether every signer of a transaction has signed it. */
export function isSigned({ signatures, message }: WireTransaction): boolean {
  return signatures.every((signature, index) => hasSigned(message.bytes, signature, fromBase58(keyAt(message, index))))
}

/** Converts a message to the engine's type, with empty signatures, which the engine ignores. */
export function wireOf(messageBytes: Uint8Array): Transaction {
  const { keys, signers } = readMessage(messageBytes)
  const signatures = Object.fromEntries(keys.slice(0, signers).map((key) => [key, new Uint8Array(64)]))
  // Its types are brands of the library that made a transaction; this one is written here.
  return { messageBytes, signatures } as unknown as Transaction
}

function outcomeOf(done: TransactionMetadata | FailedTransactionMetadata): Outcome {
  const failure = 'err' in done ? failureOf(done) : undefined
  const meta = 'err' in done ? done.meta() : done
  const returned = meta.returnData()
  const data = Uint8Array.from(returned.data())
  const returnData = data.length === 0 ? undefined : { program: toBase58(returned.programId()), data }
  return { failure, logs: meta.logs(), units: meta.computeUnitsConsumed(), returnData }
}
