import { membersOf } from '@svc/contract'
import { AbiCoder, isError, toUtf8String } from 'ethers'
import { endOf } from './simulation.ts'

/** Selectors of Solidity's `Error(string)` and `Panic(uint256)`. @see https://docs.soliditylang.org/en/latest/control-structures.html (read 2026-11-21) */
const ERROR_STRING = '0x08c379a0'
const PANIC = '0x4e487b71'

/**
 * Returns the reason why a simulated call was refused: Solidity's reason, its panic code, or plain text (some precompiles answer ASCII); in our own words where it ended
 * other than by a revert, such as by running out of gas.
 *
 * @param explain words for the return data where the contract has errors of its own; null for any other
 * @returns null when the error is not the chain's verdict; an empty text when the chain gave no reason
 */
export function revertReason(error: unknown, explain?: (data: string) => string | null): string | null {
  if (!isError(error, 'CALL_EXCEPTION')) return null
  const data = error.data ?? rawData(error)
  return data ? (explain?.(data) ?? textOf(data)) : (error.reason ?? endOf(nodeWords(error)) ?? '')
}

/** Reads the return data of a refused call as text. */
export function textOf(data: string): string {
  try {
    if (data.startsWith(ERROR_STRING)) return String(AbiCoder.defaultAbiCoder().decode(['string'], `0x${data.slice(10)}`)[0])
    if (data.startsWith(PANIC)) return `panic code ${AbiCoder.defaultAbiCoder().decode(['uint256'], `0x${data.slice(10)}`)[0]}`
    const text = toUtf8String(data)
    if (/^[\x20-\x7e]+$/.test(text)) return text
  } catch {
    // Not text: its first bytes still help whoever looks the error up.
  }
  return data === '0x' ? '' : `error ${data.slice(0, 10)}`
}

function rawData(error: { info?: Record<string, unknown> }): string | null {
  const { data } = membersOf(error.info?.error)
  return typeof data === 'string' ? data : null
}

/** Returns the data of a refused call, 0x-prefixed; null where it returned nothing, and for an error that is no refusal. */
export function revertData(error: unknown): string | null {
  if (!isError(error, 'CALL_EXCEPTION')) return null
  const data = error.data ?? rawData(error)
  return data === '0x' ? null : data
}

/** Returns the node's own words on an error, without the data. */
export function nodeWords(error: unknown): string {
  const text = membersOf(membersOf(membersOf(error).info).error).message
  return typeof text === 'string' ? text : ''
}
