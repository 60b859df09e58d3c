import { sha256 } from '../cosmos/sha256.ts'
import { DecodeError, shown } from '../errors.ts'
import { digitsOf } from '../hex.ts'
import type { Call, Value } from '../types.ts'
import { base58, bytesOfBase58, KEY_LENGTH } from './base58.ts'
import { type Cursor, cursor } from './cursor.ts'
import { type Kind, type Layout, methodOf, type Program, type Slot } from './layouts.ts'
import type { Account, Instruction } from './message.ts'

/** A call, and what it needs of the accounts it names. */
export interface ReadCall {
  readonly call: Call
  /** In the order of the instruction's accounts; null where the instruction is not known, so that nothing can be said. */
  readonly slots: readonly Slot[] | null
  /** Signs nothing but its own creation: the account that a `System.CreateAccount` makes. */
  readonly created: string | null
}

/**
 * A seed longer than this derives no address.
 *
 * @see https://docs.rs/solana-program/latest/solana_program/pubkey/constant.MAX_SEED_LEN.html (read 2026-11-21)
 */
const MAX_SEED = 32

/**
 * Reads one instruction.
 *
 * @param feePayer whose lamports count as `value`
 * @returns a call with the method `unknown …` for every instruction without a layout
 * @throws DecodeError when an instruction that has a layout does not have exactly that form
 */
export function readInstruction(
  instruction: Instruction,
  programs: ReadonlyMap<string, Program>,
  feePayer: string,
  path: string,
): ReadCall {
  const { data, accounts } = instruction
  const target = instruction.program.address
  const program = programs.get(target)
  const tag = program === undefined ? null : tagOf(data, program.tagLength)
  const layout = tag === null ? undefined : program?.instructions.get(tag)
  if (program === undefined || layout === undefined) {
    const args = { accounts: accounts.map(({ address }) => address), data: `0x${digitsOf(data)}` }
    return { call: { target, method: unknownMethod(program, tag), args, value: 0n }, slots: null, created: null }
  }

  const where = `${path}, ${program.name}.${layout.name},`
  const args = { ...accountArgs(accounts, layout, where), ...dataArgs(data.subarray(program.tagLength), layout, where) }
  if (layout.name === 'CreateAccountWithSeed') checkDerived(args, accounts[0]!, where)
  const value = layout.spends && args.from === feePayer ? (args.lamports as bigint) : 0n
  const created = layout.name === 'CreateAccount' ? (args.newAccount as string) : null
  return { call: { target, method: methodOf(program, layout), args, value }, slots: Object.values(layout.accounts), created }
}

/**
 * The number that tells the instructions of a program apart.
 *
 * @returns null when the data is too short to have one
 */
export function tagOf(data: Uint8Array, length: Program['tagLength']): number | null {
  if (data.length < length) return null
  let tag = 0
  for (let i = length - 1; i >= 0; i--) tag = tag * 256 + data[i]!
  return tag
}

function unknownMethod(program: Program | undefined, tag: number | null): string {
  if (program === undefined) return 'unknown instruction'
  if (tag === null) return `unknown ${program.name} instruction`
  const name = program.names[tag]
  return name === undefined ? `unknown ${program.name} instruction ${tag}` : `unknown ${program.name}.${name}`
}

function accountArgs(accounts: readonly Account[], layout: Layout, where: string): Record<string, Value> {
  const slots = Object.entries(layout.accounts)
  if (accounts.length !== slots.length) {
    throw new DecodeError(`${where} has ${accounts.length} accounts; it must have ${slots.length}`)
  }
  const args: Record<string, Value> = {}
  slots.forEach(([name, { address }], i) => {
    const found = accounts[i]!.address
    if (address === undefined) args[name] = found
    else if (found !== address) throw new DecodeError(`${where} has ${found} as ${name}; it must be ${address}`)
  })
  return args
}

function dataArgs(data: Uint8Array, { data: fields }: Layout, where: string): Record<string, Value> {
  const from = cursor(data, `the data of ${where.slice(0, -1)}`)
  const args: Record<string, Value> = {}
  for (const [name, kind] of Object.entries(fields)) args[name] = READERS[kind](from, name)
  from.end()
  return args
}

const READERS: Readonly<Record<Kind, (from: Cursor, name: string) => string | bigint>> = {
  u64: (from, name) => from.u64(name),
  i64: (from, name) => from.i64(name),
  address: (from, name) => base58(from.bytes(KEY_LENGTH, name)),
  rest: (from, name) => textOf(from.bytes(from.left(), name), name),
  text: (from, name) => {
    const length = from.u64(name)
    if (length > MAX_SEED) throw new DecodeError(`${name} has ${length} bytes; it may have ${MAX_SEED}`)
    return textOf(from.bytes(Number(length), name), name)
  },
  role: (from, name) => {
    const role = from.u32(name)
    if (role > 1) throw new DecodeError(`${name} is ${role}; it must be 0, the staker, or 1, the withdrawer`)
    return role === 0 ? 'staker' : 'withdrawer'
  },
}

function textOf(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new DecodeError(`${name} is ${shown(`0x${digitsOf(bytes)}`)}, which is no UTF-8; it must be a text`)
  }
}

/** The new account's address must follow from base, seed and owner: sha256 of the three, one after the other. */
function checkDerived(args: Readonly<Record<string, Value>>, from: Account, where: string): void {
  const { base, seed, owner, newAccount } = args
  if (base !== from.address) throw new DecodeError(`${where} has the base ${base}; it must be who pays, ${from.address}`)
  const text = new TextEncoder().encode(seed as string)
  const ownerKey = bytesOfBase58(owner as string)!
  const derived = base58(sha256(Uint8Array.of(...from.key, ...text, ...ownerKey)))
  if (newAccount !== derived) {
    throw new DecodeError(`${where} makes ${newAccount}; with the seed ${shown(seed)} and the owner ${owner} it must make ${derived}`)
  }
}
