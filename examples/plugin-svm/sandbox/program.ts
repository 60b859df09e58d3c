import { assemble } from './assembler.ts'
import { elf } from './elf.ts'

/** Why the program refuses, by its number. */
export const refusal = { malformed: 1, unsigned: 2, notTheHolder: 3, open: 4, tooLittle: 5 } as const

// Where the loader puts what an instruction brings, from the address in r1 on: the number of accounts, then each account with its data, room
// for 10,240 bytes more and eight bytes of rent epoch, then the instruction's own data behind its length.
// https://solana.com/docs/programs/faq#input-parameter-serialization (read 2026-11-22)
const ROOM = 10_240
const account = (at: number) => ({ again: at, signed: at + 1, key: at + 8, lamports: at + 72, length: at + 80, data: at + 88 })

/** Bytes of a voucher: the key of its holder, and how many lamports he paid in. */
const BYTES = 40
const voucher = account(8)
const holder = account(voucher.data + BYTES + ROOM + 8)
const paidIn = voucher.data + 32
const WORDS = [0, 8, 16, 24]

/**
 * A voucher is an account of this program that holds lamports for its holder. All that are paid to it are his.
 *
 *     Open   { 0, principal: u64 }  [writable] voucher, [signer] holder            an empty voucher becomes the holder's
 *     Redeem { 1, at_least: u64 }   [writable] voucher, [signer, writable] holder  all that it holds is paid out, and it is empty again
 *
 * That a voucher belongs to this program need not be asked: the chain lets a program write to its own accounts only.
 */
const source = `
  ldxdw r2, [r1+0]
  jne r2, 2, malformed
  ldxdw r2, [r1+${voucher.length}]
  jne r2, ${BYTES}, malformed
  ldxb r2, [r1+${holder.again}]
  jne r2, 255, malformed          ; the voucher is not its own holder
  ldxb r2, [r1+${holder.signed}]
  jeq r2, 0, unsigned

  ldxdw r3, [r1+${holder.length}] ; behind the holder's data, at the next multiple of eight
  add64 r3, 7
  and64 r3, -8
  add64 r3, r1
  add64 r3, ${holder.data + ROOM + 8}
  ldxdw r2, [r3+0]
  jne r2, 9, malformed
  ldxb r2, [r3+8]
  ldxdw r4, [r3+9]                ; the amount
  ldxdw r5, [r1+${voucher.lamports}]
  jgt r4, r5, too_little
  jeq r2, 1, redeem
  jne r2, 0, malformed

  mov64 r2, 0
${WORDS.map((at) => `  ldxdw r6, [r1+${voucher.data + at}]\n  or64 r2, r6`).join('\n')}
  jne r2, 0, open
${WORDS.map((at) => `  ldxdw r6, [r1+${holder.key + at}]\n  stxdw [r1+${voucher.data + at}], r6`).join('\n')}
  stxdw [r1+${paidIn}], r4
  mov64 r0, 0
  exit

redeem:
${WORDS.map((at) => `  ldxdw r2, [r1+${voucher.data + at}]\n  ldxdw r6, [r1+${holder.key + at}]\n  jne r2, r6, not_the_holder`).join('\n')}
  ldxdw r6, [r1+${holder.lamports}]
  add64 r6, r5
  stxdw [r1+${holder.lamports}], r6
  mov64 r0, 0
  stxdw [r1+${voucher.lamports}], r0
${[...WORDS, 32].map((at) => `  stxdw [r1+${voucher.data + at}], r0`).join('\n')}
  exit

malformed:
  mov64 r0, ${refusal.malformed}
  exit
unsigned:
  mov64 r0, ${refusal.unsigned}
  exit
not_the_holder:
  mov64 r0, ${refusal.notTheHolder}
  exit
open:
  mov64 r0, ${refusal.open}
  exit
too_little:
  mov64 r0, ${refusal.tooLittle}
  exit
`

/** The program as it is loaded. An author with a compiled one reads its `.so` file in place of this. */
export const vouchersProgram = elf(assemble(source))
