import { present } from '@svc/sandbox'
import { budgetOf } from '../budget.ts'
import { concat, u32 } from '../bytes.ts'
import { type Failure, innerText, instructionError, instructionFailure, rentFailure } from '../failure.ts'
import { fromBase58 } from '../litesvm.ts'
import { isSigner, isWritable, keyAt, type Message, writeMessage } from '../message.ts'
import { lamportsPerSignature } from '../nonce.ts'
import { computeBudgetProgram, system } from '../programs.ts'
import type { Outcome, Replacement } from '../transactions.ts'
import type { PoolCall, Translation, View } from './call.ts'
import { PoolRefusal } from './errors.ts'
import { labelOf, nameOf, translate } from './instructions.ts'
import { failing, type Native } from './native.ts'

/**
 * Compute units of the pool program itself, besides those of the programs it calls: so many that a deposit with its token account,
 * a withdrawal, and a withdrawal of stake with its account and deactivation come to about 27,000, 27,000 and 90,000, as they do in
 * version 2 of the program.
 */
const ownUnits = { DepositSol: 12_000n, WithdrawSol: 21_000n, WithdrawStake: 39_000n } as const

/** Part that stands in the place of one instruction of a transaction. */
interface Part {
  readonly program: string
  readonly native: readonly Native[]
  /** For a pool instruction: its name, and why it is refused, if it is. */
  readonly pool: { readonly name: string; readonly units: bigint; readonly refusal: PoolRefusal | undefined } | undefined
  readonly authority: string | undefined
}

/**
 * Makes a copy of a transaction in which native instructions replace the pool's: the engine runs them without signatures, so that the pool's own address can sign.
 * Everything else of the transaction is unchanged.
 *
 * @returns undefined when it has no pool instruction
 */
export function replacementOf(
  message: Message,
  lifetime: Uint8Array,
  programs: ReadonlySet<string>,
  chain: View,
  exhausted = false,
): Replacement | undefined {
  if (!message.instructions.some(({ program }) => programs.has(keyAt(message, program)))) return undefined
  const changes = new Map<string, Uint8Array>()
  const moved = new Map<string, bigint>()
  const view: View = {
    epoch: chain.epoch,
    account(address) {
      const account = chain.account(address)
      if (account === undefined) return undefined
      return { ...account, lamports: account.lamports + (moved.get(address) ?? 0n), data: changes.get(address) ?? account.data }
    },
  }
  const parts = message.instructions.map((instruction): Part => {
    const call = callOf(message, instruction)
    if (!programs.has(call.program)) return { program: call.program, native: [call], pool: undefined, authority: undefined }
    const part = poolPart(message, call, view, exhausted)
    for (const [address, data] of part.changes) changes.set(address, data)
    for (const [address, lamports] of part.moved) moved.set(address, (moved.get(address) ?? 0n) + lamports)
    return part
  })
  const written = write(message, lifetime, parts)
  const units = parts.reduce((sum, { pool }) => sum + (pool?.units ?? 0n), 0n)
  const again = () => present(replacementOf(message, lifetime, programs, chain, true), 'a replacement, as there was one')
  return {
    message: written.bytes,
    extraFee: written.extraSigners * lamportsPerSignature,
    restore: (outcome) => restore(outcome, message, parts, written.keys, units),
    changes,
    isExhausted: (outcome) => !exhausted && outcome.failure === undefined && outcome.units + units > budgetOf(message).units,
    exhausted: again,
  }
}

function callOf(message: Message, { program, accounts, data }: Message['instructions'][number]): PoolCall {
  const flags = accounts.map((index) => ({
    // An address out of a lookup table is not looked up: no pool instruction needs one.
    address: message.keys[index] ?? system,
    signer: isSigner(message, index),
    writable: isWritable(message, index),
  }))
  return { program: keyAt(message, program), accounts: flags, data }
}

function poolPart(message: Message, call: PoolCall, view: View, exhausted: boolean): Part & Pick<Translation, 'changes' | 'moved'> {
  const name = nameOf(call)
  const units = name === undefined ? 0n : ownUnits[name]
  const refusalOf = (refusal: PoolRefusal) => ({
    program: call.program,
    native: [failing],
    pool: { name: labelOf(call), units, refusal },
    authority: undefined,
    changes: new Map<string, Uint8Array>(),
    moved: new Map<string, bigint>(),
  })
  if (message.lookups) return refusalOf(new PoolRefusal({ shared: 'InvalidArgument' }, "the sandbox's stand-in takes no lookup tables"))
  if (exhausted) return refusalOf(new PoolRefusal({ shared: 'ComputationalBudgetExceeded' }))
  try {
    const { native, authority, changes, moved } = translate(call, view)
    checkPrivileges(call, native, authority)
    return { program: call.program, native, pool: { name: labelOf(call), units, refusal: undefined }, authority, changes, moved }
  } catch (error) {
    if (!(error instanceof PoolRefusal)) throw error
    return refusalOf(error)
  }
}

/** A program cannot pass on a signature, or leave to write, that it was not given. */
function checkPrivileges(call: PoolCall, native: readonly Native[], authority: string): void {
  const hasPrivilege = (address: string, flag: 'signer' | 'writable') =>
    call.accounts.some((account) => account.address === address && account[flag]) || (flag === 'signer' && address === authority)
  for (const { accounts } of native) {
    for (const { address, signer, writable } of accounts) {
      if (signer && !hasPrivilege(address, 'signer')) {
        throw new PoolRefusal({ shared: 'PrivilegeEscalation' }, `${address}'s signer privilege escalated`)
      }
      if (writable && !hasPrivilege(address, 'writable')) {
        throw new PoolRefusal({ shared: 'PrivilegeEscalation' }, `${address}'s writable privilege escalated`)
      }
    }
  }
}

function write(
  message: Message,
  lifetime: Uint8Array,
  parts: readonly Part[],
): { bytes: Uint8Array; keys: string[]; extraSigners: bigint } {
  const flags = new Map<string, { signer: boolean; writable: boolean }>()
  message.keys.forEach((key, index) => {
    flags.set(key, { signer: isSigner(message, index), writable: isWritable(message, index) })
  })
  for (const { authority } of parts)
    if (authority !== undefined) flags.set(authority, { ...present(flags.get(authority), `the account ${authority}`), signer: true })
  for (const { native } of parts) {
    for (const { program, accounts } of native) {
      for (const address of [program, ...accounts.map((account) => account.address)]) {
        if (!flags.has(address)) flags.set(address, { signer: false, writable: false })
      }
    }
  }
  const { units, explicit } = budgetOf(message)
  if (!explicit) flags.set(computeBudgetProgram, { signer: false, writable: false })
  const of = (signer: boolean, writable: boolean) =>
    [...flags].filter(([, flag]) => flag.signer === signer && flag.writable === writable).map(([key]) => key)
  // The payer stands first among the signers that are written, as it does in the message.
  const [paying, signing, written, read] = [of(true, true), of(true, false), of(false, true), of(false, false)] as const
  const keys = [...paying, ...signing, ...written, ...read]
  const places = new Map(keys.map((key, index) => [key, index]))
  const at = (address: string) => present(places.get(address), `a place for ${address}`)
  const instructions = parts.flatMap(({ native }) =>
    native.map(({ program, accounts, data }) => ({
      program: at(program),
      accounts: accounts.map(({ address }) => at(address)),
      data,
    })),
  )
  // More instructions would have a higher limit by themselves, and with it a higher fee.
  const limit = explicit ? [] : [{ program: at(computeBudgetProgram), accounts: [], data: concat([2], u32(Number(units))) }]
  const signers = paying.length + signing.length
  const bytes = writeMessage({
    signers,
    readonlySigners: signing.length,
    readonlyOthers: read.length,
    keys: keys.map(fromBase58),
    lifetime,
    instructions: [...instructions, ...limit],
  })
  return { bytes, keys, extraSigners: BigInt(signers - message.signers) }
}

function restore(outcome: Outcome, message: Message, parts: readonly Part[], keys: readonly string[], units: bigint): Outcome {
  const failure = outcome.failure === undefined ? undefined : restoreFailure(outcome.failure, message, parts, keys)
  return { ...outcome, failure, logs: restoreLogs(outcome, parts), units: outcome.units + units }
}

function restoreFailure(failure: Failure, message: Message, parts: readonly Part[], keys: readonly string[]): Failure {
  const inner = instructionError(failure)
  if (inner !== undefined) {
    const index = partAt(parts, inner.index)
    return instructionFailure(index, parts[index]?.pool?.refusal?.inner ?? inner.inner)
  }
  const poor = rentFailure(failure)
  if (poor === undefined) return failure
  return { InsufficientFundsForRent: { account_index: message.keys.indexOf(present(keys[poor], `an account ${poor}`)) } }
}

/** Index of the part that an instruction of the replacement belongs to. */
function partAt(parts: readonly Part[], instruction: number): number {
  let passed = 0
  const index = parts.findIndex(({ native }) => {
    passed += native.length
    return instruction < passed
  })
  return index === -1 ? parts.length : index
}

/** Logs as the pool program would have made them: its own lines, and a level deeper those of the programs it called. */
function restoreLogs({ logs, failure }: Outcome, parts: readonly Part[]): string[] {
  const groups: string[][] = []
  for (const line of logs) {
    if (/^Program \S+ invoke \[1\]$/.test(line)) groups.push([])
    groups.at(-1)?.push(line)
  }
  const restored: string[] = []
  let at = 0
  const failed = failure === undefined ? undefined : instructionError(failure)
  for (const [index, { program, native, pool }] of parts.entries()) {
    const mine = groups.slice(at, at + native.length)
    at += native.length
    if (mine.length === 0) break
    if (pool === undefined) {
      restored.push(...mine.flat())
      continue
    }
    restored.push(`Program ${program} invoke [1]`, `Program log: Instruction: ${pool.name}`)
    const stopped = failed !== undefined && partAt(parts, failed.index) === index ? (pool.refusal?.inner ?? failed.inner) : undefined
    if (pool.refusal === undefined) restored.push(...mine.flat().map(deeper))
    else restored.push(...pool.refusal.lines)
    restored.push(stopped === undefined ? `Program ${program} success` : `Program ${program} failed: ${innerText(stopped)}`)
  }
  return restored
}

function deeper(line: string): string {
  return line.replace(/ invoke \[(\d+)\]$/, (_, depth: string) => ` invoke [${Number(depth) + 1}]`)
}
