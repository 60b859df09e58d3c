import { at } from '../at.ts'
import { cursor } from '../bytes/cursor.ts'
import { digitsOf } from '../bytes/hex.ts'
import { DecodeError } from '../errors.ts'
import type { Call, Value } from '../types.ts'
import { isAssertion } from './assertion.ts'
import { readKind } from './kinds.ts'
import { type CompiledInstruction, countOf, type Program, role, type SvmAccount } from './layout.ts'
import type { Account, Instruction } from './message.ts'

/** Call, with the rights that it needs over the accounts it names. */
export interface ReadCall {
  readonly call: Call
  /** Rights in the order of the instruction's accounts; null where the instruction is not known, so that nothing can be said. */
  readonly slots: readonly SvmAccount[] | null
  /** Accounts that the call creates, which may have signed already. */
  readonly created: readonly string[]
}

/**
 * Reads one instruction as a call.
 *
 * @param programs by address
 * @param payers whose lamports count as `value`
 * @returns a call with the method `unknown …` for every instruction without a layout
 * @throws DecodeError when an instruction that has a layout does not have exactly that form
 */
export function readInstruction(
  { program: { address: target }, accounts, data }: Instruction,
  programs: ReadonlyMap<string, Program>,
  payers: readonly string[],
  path: string,
): ReadCall {
  const program = programs.get(target)
  const digits = digitsOf(data)
  const matches = program?.instructions.filter((each) => digits.startsWith(each.digits)) ?? []
  const [first] = matches
  if (first === undefined) {
    const args = { accounts: accounts.map(({ address }) => address), data: `0x${digits}` }
    // Whatever else it does not know, an assertion needs no right to any account.
    const slots = isAssertion({ target, args }) ? accounts.map(() => role.reads) : null
    return { call: { target, method: unknownMethod(program, digits), args, value: 0n }, slots, created: [] }
  }

  const where = `${path}, ${first.method.split('(')[0]},`
  const layout = matches.find((each) => countOf(each) === accounts.length)
  if (layout === undefined) {
    throw new DecodeError(`${where} has ${accounts.length} accounts; it must have ${matches.map(countOf).join(' or ')}`)
  }
  const slots = Object.entries(layout.accounts)
  // fromEntries defines properties; a layout's names are all different.
  const args = Object.fromEntries([...accountArgs(accounts, slots, where), ...dataArgs(data, layout, where)])
  const { spends, method } = layout
  const value = spends && payers.includes(String(args[spends.from])) ? (args[spends.lamports] as bigint) : 0n
  const created = slots.flatMap(([, slot], i) => (slot.created ? [at(accounts, i).address] : []))
  return { call: { target, method, args, value }, slots: slots.map(([, slot]) => slot), created }
}

function unknownMethod(program: Program | undefined, digits: string): string {
  if (program === undefined) return 'unknown instruction'
  const tag = program.tagLength === null || digits.length < 2 * program.tagLength ? '' : ` 0x${digits.slice(0, 2 * program.tagLength)}`
  return `unknown ${program.name} instruction${tag}`
}

function accountArgs(
  accounts: readonly Account[],
  slots: readonly (readonly [string, SvmAccount])[],
  where: string,
): readonly (readonly [string, Value])[] {
  return slots.flatMap(([name, { address }], i) => {
    const actual = at(accounts, i).address
    if (address === undefined) return [[name, actual] as const]
    if (actual !== address) throw new DecodeError(`${where} has ${actual} as ${name}; it must be ${address}`)
    return []
  })
}

function dataArgs(data: Uint8Array, { digits, data: fields }: CompiledInstruction, where: string): readonly (readonly [string, Value])[] {
  const from = cursor(data.subarray(digits.length / 2), `the data of ${where.slice(0, -1)}`)
  const args = Object.entries(fields).map(([name, kind]) => [name, readKind(from, kind, name)] as const)
  from.end()
  return args
}
