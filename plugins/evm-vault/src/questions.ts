import { badGateway } from '@svc/contract'
import { type ReadResult, readMany } from '@svc/kit-evm'
import type { Interface, Result } from 'ethers'
import { sharedAbi, vaultAbi } from './abi.ts'
import type { VaultContext } from './network.ts'

/** A call, and how its answer is read. */
export interface Question<T> {
  /** Contract that is asked; the vault, where it is absent. */
  readonly to?: string
  readonly method: string
  readonly data: string
  read(answer: string): T
}

export type Questions<T> = { readonly [K in keyof T]: Question<T[K]> }

/** An answer, or the chain's reason for none. */
export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly method: string; readonly reason: string }
export type Answers<T> = { readonly [K in keyof T]: Answer<T[K]> }

const first = (answer: Result) => answer[0]

/** A question to the vault. @param read of the decoded answer; its first value when absent */
export function ofVault<T>(method: string, args: readonly unknown[] = [], read: (answer: Result) => T = first): Question<T> {
  return question(vaultAbi, method, args, read)
}

/** A question to a contract that vaults share. */
export function ofShared<T>(to: string, method: string, args: readonly unknown[] = [], read: (answer: Result) => T = first): Question<T> {
  return { to, ...question(sharedAbi, method, args, read) }
}

/**
 * Calls of the vault in one call of its own `multicall`, so that they see one state: also that after a first one which changes it. Fails as
 * a whole when one fails.
 *
 * @param before call data of what is done first
 */
export function together<T extends object>(questions: Questions<T>, before: readonly string[] = []): Question<T> {
  const named = Object.entries(questions) as [keyof T, Question<T[keyof T]>][]
  const data = vaultAbi.encodeFunctionData('multicall', [[...before, ...named.map(([, each]) => each.data)]])
  const read = (answer: string): T => {
    const [results] = vaultAbi.decodeFunctionResult('multicall', answer) as unknown as [readonly string[]]
    return Object.fromEntries(named.map(([name, each], index) => [name, each.read(results[before.length + index]!)])) as T
  }
  return { method: `multicall of ${named.map(([, { method }]) => method).join(', ')}`, data, read }
}

/** Puts questions to the chain in one round trip, in their order. One that fails fails alone. */
export async function ask<T extends object>(ctx: VaultContext, questions: Questions<T>): Promise<Answers<T>> {
  const named = Object.entries(questions) as [keyof T, Question<T[keyof T]>][]
  const results = await readMany(
    ctx,
    named.map(([, { to, data }]) => ({ to: to ?? ctx.network.vault, data })),
  )
  return Object.fromEntries(named.map(([name, each], index) => [name, answer(each, results[index]!)])) as Answers<T>
}

/** @throws 502 VAULT_UNREADABLE */
export function answered<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value
  const { method, reason } = answer
  throw badGateway('VAULT_UNREADABLE', `The vault could not be read (${method}): ${reason || 'no reason given'}.`)
}

function question<T>(abi: Interface, method: string, args: readonly unknown[], read: (answer: Result) => T): Question<T> {
  const data = abi.encodeFunctionData(method, args)
  return { method, data, read: (answer) => read(abi.decodeFunctionResult(method, answer)) }
}

function answer<T>({ method, read }: Question<T>, result: ReadResult): Answer<T> {
  if (!result.ok) return { ok: false, method, reason: result.reason }
  try {
    return { ok: true, value: read(result.data) }
  } catch {
    return { ok: false, method, reason: 'its answer has another form' }
  }
}
