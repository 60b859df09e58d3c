import { at } from '../at.ts'
import { DecodeError } from '../errors.ts'
import { membersOf, plainHexOf } from '../members.ts'
import type { Decoded, Effects } from '../types.ts'
import { type Budget, maxFeeOf, readBudget } from './budget.ts'
import { type ReadCall, readInstruction } from './instruction.ts'
import { ADVANCE_METHOD, compile } from './layout.ts'
import { MAX_BYTES, readTransaction, type Transaction } from './message.ts'
import { checkRoles } from './roles.ts'

/** Answer to a craft request of a Solana protocol: one transaction. */
export interface SvmCraft {
  /** Hex of a legacy transaction in lower case and without `0x`, its signatures zeros where they are still to be made. */
  readonly unsigned_tx_hex: string
}

/**
 * Decodes the effects of an unsigned Solana transaction. The advance of a nonce account is a call like any other, so that its account and authority are compared with the
 * request.
 *
 * @param programs layouts of the programs that are read, `SvmProgram` each: those that effects carry, or an intent names. The compute budget and
 * the advance of a nonce account are read without one
 * @returns one call an instruction, except those that set the compute budget, with a method that begins with `unknown` where no layout is of it; `signers` in the order of
 *   the bytes, the first of whom pays
 * the fee; `chainId` is null, since the bytes name no cluster; `maxFee` for all signatures and the priority fee, in lamports; `terms` are
 * `blockhash`, or `nonce` where the first instruction advances a nonce account, and where they are there `unitLimit`, `unitPrice` and
 * `signed`, the addresses that have signed already, with commas between them
 * @throws DecodeError when the response is not one canonical transaction of the legacy format, when an instruction does not have exactly the form
 * of its layout or a layout is none, when an account may sign or be written to without need, or when anybody but an account made by it has signed
 */
export function decodeSvm(craft: SvmCraft, programs?: Effects['layouts']): Decoded {
  const { unsigned_tx_hex: text } = membersOf(craft, 'the craft response', ['unsigned_tx_hex'])
  const transaction = readTransaction(plainHexOf('unsigned_tx_hex', text, MAX_BYTES))
  const { decoded, created } = readCalls(transaction, programs)
  checkSigned(transaction, created)
  return decoded
}

/**
 * Reads the calls of a transaction's instructions, whoever has signed it.
 *
 * @param sent of a transaction that is about to be sent: whoever signs may pay, and the budget and rights of accounts are the sender's own
 * @returns beside it the addresses of accounts that it creates and that sign for themselves
 * @throws DecodeError as `decodeSvm` does, but for signatures
 */
export function readCalls(
  { accounts, instructions, signed, blockhash }: Transaction,
  programs: Effects['layouts'],
  sent = false,
): { readonly decoded: Decoded; readonly created: readonly string[] } {
  const layouts = compile(programs)
  const signers = accounts.filter(({ signer }) => signer).map(({ address }) => address)
  const payers = sent ? signers : [at(accounts, 0).address]

  let budget: Budget = {}
  let durable = false
  const reads: ReadCall[] = []
  const slots = instructions.map((instruction, i) => {
    const path = `instruction ${i}`
    const set = readBudget(instruction, budget, path)
    if (set !== null) {
      if (!sent && reads.length > (durable ? 1 : 0))
        throw new DecodeError(`${path} sets the compute budget; it must stand before every call`)
      budget = set
      return []
    }
    const read = readInstruction(instruction, layouts, payers, path)
    if (read.call.method === ADVANCE_METHOD) {
      if (i > 0 && !sent)
        throw new DecodeError(`${path} advances a nonce account; only as the first instruction does it keep the transaction valid`)
      durable ||= i === 0
    }
    reads.push(read)
    return read.slots
  })

  if (!sent) checkRoles(accounts, instructions, slots)
  const decoded = {
    chainId: null,
    signers,
    maxFee: maxFeeOf(signers.length, budget),
    calls: reads.map(({ call }) => call),
    terms: { ...budget, ...(durable ? { nonce: blockhash } : { blockhash }), ...(signed.length > 0 ? { signed: signed.join(',') } : {}) },
  }
  return { decoded, created: reads.flatMap((read) => read.created) }
}

/** Checks a signature that is already there: it can only be that of a key made for the account, and must not be that of anybody with funds. */
function checkSigned({ signed, accounts }: Transaction, created: readonly string[]): void {
  const feePayer = at(accounts, 0).address
  for (const address of signed) {
    if (address === feePayer || !created.includes(address)) {
      throw new DecodeError(`${address} has signed already; in an unsigned transaction only an account that it creates may have signed`)
    }
  }
}
