import { isAddress } from '../bytes/base58.ts'
import { bytesOf } from '../bytes/hex.ts'
import { DecodeError, shown } from '../errors.ts'
import { checkNames, layoutList, record } from '../layout.ts'
import type { Call, Value } from '../types.ts'
import { COMPUTE_BUDGET, RECENT_BLOCKHASHES, SYSTEM } from './addresses.ts'
import { isKind, type SvmKind } from './kinds.ts'

/** Rights over an account that an instruction needs. */
export interface SvmAccount {
  readonly signer?: true
  readonly writable?: true
  /** Address of the only possible account, which then is no argument: a sysvar, a program. */
  readonly address?: string
  /** True for an account that the instruction creates, with a key of its own: the only kind of account whose signature may be there already. */
  readonly created?: true
}

/** Instruction as an intent declares it. */
export interface SvmInstruction {
  readonly name: string
  /** First bytes of the data, by which the program recognises the instruction: `0x` hex. `0x` where it has one instruction only. */
  readonly discriminator: string
  /** All accounts, in the order of the instruction. An instruction that sometimes takes more accounts is declared twice, by the same name. */
  readonly accounts: Readonly<Record<string, SvmAccount>>
  /** All fields after the discriminator, in the order of the bytes. */
  readonly data: Readonly<Record<string, SvmKind>>
  /** Names of the arguments that tell the payer and the lamports: `value`, where the payer also pays the fee. */
  readonly spends?: { readonly from: string; readonly lamports: string }
}

/** Program as an intent declares it. Instructions that it lacks are read as `unknown …`. */
export interface SvmProgram {
  readonly address: string
  /** Name in methods: `Stake.Deactivate(stake, authority)`. */
  readonly name: string
  readonly instructions: readonly SvmInstruction[]
}

/** Checked layout of an instruction. */
export interface CompiledInstruction extends Pick<SvmInstruction, 'accounts' | 'data' | 'spends'> {
  readonly method: string
  /** Hex digits of the discriminator. */
  readonly digits: string
}

/** Program whose name at least is known. */
export interface Program {
  readonly name: string
  readonly instructions: readonly CompiledInstruction[]
  /** Length of all its discriminators, in bytes; null where they differ, or there is none. */
  readonly tagLength: number | null
}

/** Roles that an account may be needed for, for layouts. */
export const role = {
  reads: {},
  writes: { writable: true },
  signs: { signer: true },
  signsAndWrites: { signer: true, writable: true },
} as const satisfies Readonly<Record<string, SvmAccount>>

/** Keeps a transaction valid for as long as a nonce account is not used, and so is among those that any may have. */
const advanceNonce: SvmInstruction = {
  name: 'AdvanceNonceAccount',
  discriminator: '0x04000000',
  accounts: { nonceAccount: role.writes, recentBlockhashes: { address: RECENT_BLOCKHASHES }, authority: role.signs },
  data: {},
}
const ADVANCE = compiled('System', advanceNonce)
/** Method name of the nonce advance in calls. */
export const ADVANCE_METHOD = ADVANCE.method

/** Makes the promise of the advance of a nonce account, which must be the first call. */
export function nonceAdvance(nonceAccount: string, authority: string): Call {
  return { target: SYSTEM, method: ADVANCE_METHOD, args: { nonceAccount, authority }, value: 0n }
}

/**
 * Makes the promise of one instruction, for `effects`.
 *
 * @param name of the instruction in the layout; where two have it, the one with these arguments
 * @param args by the names of accounts that may vary, and of the data
 * @param value lamports that leave the account that pays the fee
 * @throws RangeError when the layout has no such instruction
 */
export function call(
  { address, name: program, instructions }: SvmProgram,
  name: string,
  args: Readonly<Record<string, Value>>,
  value = 0n,
): Call {
  const argNames = Object.keys(args)
  const match = instructions.find((each) => {
    const names = each.name === name ? namesOf(each) : null
    return names?.length === argNames.length && names.every((argument) => argNames.includes(argument))
  })
  if (!match) throw new RangeError(`${program} has no instruction ${name} with the arguments ${argNames.join(', ')}`)
  return { target: address, method: methodOf(program, match), args, value }
}

/**
 * Compiles the layouts by program address, together with those of the instructions that any transaction may have: the advance of a nonce account, and the compute budget.
 *
 * @throws DecodeError when one of them is no layout, or two could be taken for each other
 */
export function compile(layouts: unknown): ReadonlyMap<string, Program> {
  const programs = new Map<string, Program>()
  layoutList(layouts).forEach((layout, i) => {
    const { address, program } = compileOne(record(layout, `layouts[${i}]`), i)
    if (programs.has(address)) throw new DecodeError(`layouts[${i}] is a second one of ${address}; there must be one`)
    programs.set(address, program)
  })
  if (!programs.has(SYSTEM)) programs.set(SYSTEM, programOf('System', [ADVANCE]))
  programs.set(COMPUTE_BUDGET, programOf('ComputeBudget', []))
  return programs
}

/** A program with its address. */
interface Addressed {
  readonly address: string
  readonly program: Program
}

/** What was made of a layout, for as long as it lives: an intent hands over the same ones for every transaction. */
const compiledBefore = new WeakMap<object, Addressed>()

function compileOne(layout: Readonly<Record<string, unknown>>, i: number): Addressed {
  const before = compiledBefore.get(layout)
  if (before) return before
  const { address, name, instructions } = layout
  if (typeof address !== 'string' || !isAddress(address))
    throw new DecodeError(`layouts[${i}].address is ${shown(address)}; it must be that of a program: base58 of 32 bytes`)
  if (address === COMPUTE_BUDGET)
    throw new DecodeError(`layouts[${i}] is the compute budget, which is read without one; it must be left out`)
  if (typeof name !== 'string' || !/^[A-Z][A-Za-z0-9]*$/.test(name))
    throw new DecodeError(`layouts[${i}].name is ${shown(name)}; it must be a word that begins with a capital letter`)
  if (!Array.isArray(instructions)) throw new DecodeError(`layouts[${i}].instructions is ${shown(instructions)}; it must be a list`)
  // What was checked is what is kept: a change of the layout afterwards would be read by and never checked.
  const all = instructions.map((each) => compiled(name, structuredClone(checkInstruction(each, name))))
  const entry = { address, program: programOf(name, address === SYSTEM ? [ADVANCE, ...all] : all) }
  compiledBefore.set(layout, entry)
  return entry
}

function programOf(name: string, instructions: readonly CompiledInstruction[]): Program {
  instructions.forEach((each, i) => {
    for (const other of instructions.slice(0, i)) checkApart(each, other)
  })
  const lengths = new Set(instructions.map(({ digits }) => digits.length / 2))
  const [length] = lengths
  return { name, instructions, tagLength: lengths.size === 1 && length !== undefined && length > 0 ? length : null }
}

/** Checks that bytes are those of one instruction, and that a method stands for one kind of bytes. */
function checkApart(one: CompiledInstruction, other: CompiledInstruction): void {
  if (one.method === other.method) throw new DecodeError(`two instructions are ${one.method}; each must have its own name or arguments`)
  if (one.digits === other.digits && countOf(one) !== countOf(other)) return
  if (one.digits.startsWith(other.digits) || other.digits.startsWith(one.digits)) {
    throw new DecodeError(`${one.method} and ${other.method} begin with the same bytes and cannot be told apart`)
  }
}

/** Counts the accounts that an instruction names. */
export function countOf({ accounts }: Pick<CompiledInstruction, 'accounts'>): number {
  return Object.keys(accounts).length
}

function compiled(program: string, instruction: SvmInstruction): CompiledInstruction {
  const { discriminator, accounts, data, spends } = instruction
  // Hex of whole bytes, as was checked.
  const digits = discriminator.slice(2).toLowerCase()
  return { method: methodOf(program, instruction), digits, accounts, data, ...(spends ? { spends } : {}) }
}

function methodOf(program: string, instruction: SvmInstruction): string {
  return `${program}.${instruction.name}(${namesOf(instruction).join(', ')})`
}

/** Names of the arguments: the accounts that may vary, then the data. */
function namesOf({ accounts, data }: Pick<SvmInstruction, 'accounts' | 'data'>): readonly string[] {
  const free = Object.entries(accounts).filter(([, { address }]) => address === undefined)
  return [...free.map(([name]) => name), ...Object.keys(data)]
}

function checkInstruction(input: unknown, program: string): SvmInstruction {
  const instruction = record(input, `an instruction of ${program}`)
  const { name, discriminator, spends } = instruction
  const where = `${program}.${String(name)}`
  if (typeof name !== 'string' || !/^[A-Za-z][A-Za-z0-9]*$/.test(name))
    throw new DecodeError(`an instruction of ${program} has the name ${shown(name)}; it must be a word`)
  if (typeof discriminator !== 'string' || bytesOf(discriminator) === null)
    throw new DecodeError(`the discriminator of ${where} is ${shown(discriminator)}; it must be 0x hex of whole bytes`)
  const accounts = record(instruction.accounts, `accounts of ${where}`)
  const data = record(instruction.data, `data of ${where}`)
  for (const [account, entry] of Object.entries(accounts)) checkAccount(record(entry, `${where}.${account}`), `${where}.${account}`)
  const kinds = Object.entries(data)
  kinds.forEach(([field, kind], i) => {
    if (!isKind(kind)) throw new DecodeError(`${where}.${field} is of the kind ${shown(kind)}, which is none`)
    if (kind === 'rest' && i < kinds.length - 1) throw new DecodeError(`${where}.${field} is the rest; nothing can follow it`)
  })
  const checked = instruction as unknown as SvmInstruction
  checkNames([...Object.keys(accounts), ...Object.keys(data)], `the layout of ${where}`)
  if (spends !== undefined) {
    const { from, lamports } = record(spends, `spends of ${where}`)
    if (!Object.hasOwn(accounts, String(from)) || data[String(lamports)] !== 'u64')
      throw new DecodeError(`spends of ${where} must name an account, and a u64 of the data`)
  }
  return checked
}

function checkAccount({ signer, writable, created, address, ...more }: Readonly<Record<string, unknown>>, where: string): void {
  for (const [name, flag] of Object.entries({ signer, writable, created })) {
    if (flag !== undefined && flag !== true) throw new DecodeError(`${name} of ${where} is ${shown(flag)}; it must be true, or left out`)
  }
  if (created === true && (signer !== true || writable !== true || address !== undefined))
    throw new DecodeError(`${where} is created, and so must sign, be written to, and be any account`)
  if (address !== undefined && (typeof address !== 'string' || !isAddress(address)))
    throw new DecodeError(`the address of ${where} is ${shown(address)}; it must be base58 of 32 bytes, or left out`)
  for (const name of Object.keys(more)) throw new DecodeError(`${where} has a member ${shown(name)}, which is none of an account`)
}
