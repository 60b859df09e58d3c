import { malformedAnswer } from '@svc/contract'
import { ifServed } from '@svc/contract/control'
import { readBytes } from './answer.ts'
import { checksumOf } from './checksum.ts'
import type { EvmClient } from './client.ts'
import type { Answer } from './reader.ts'

/** Slots of a proxy: keccak-256 of `eip1967.proxy.implementation` and `eip1967.proxy.admin`, less one. @see https://eips.ethereum.org/EIPS/eip-1967 (read 2026-11-29) */
const IMPLEMENTATION = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const ADMIN = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103'
const WORD = /^0x0{24}[0-9a-f]{40}$/i

/** Powers over a proxy, as its slots have them. */
interface ProxyPowers {
  /** Address of the code that it runs; null: it is no proxy. */
  readonly implementation?: string | null
  /** Who may replace that code, where that is not for the code itself to say; null: nobody. */
  readonly proxy_admin?: string | null
}

/**
 * Reads who may change the code of a contract, from its storage, whatever the contract itself answers: two reads, sent with the calls that start together.
 *
 * @returns nothing where no endpoint serves storage
 */
export async function readProxyPowers(client: EvmClient, address: string): Promise<ProxyPowers> {
  const read = (slot: string) => client.ask('eth_getStorageAt', [address, slot, 'latest'], addressIn)
  const slots = await ifServed(Promise.all([read(IMPLEMENTATION), read(ADMIN)]))
  return slots === undefined ? {} : { implementation: slots[0], proxy_admin: slots[1] }
}

/** Writes an address as the holder of a power: with its checksum; null for the zero address, which is nobody's. */
export function holderOf(address: string): string | null {
  const lower = address.toLowerCase()
  return /^0x0{40}$/.test(lower) ? null : checksumOf(lower)
}

/** @throws EndpointError for a word in which no address stands */
function addressIn(answer: unknown): string | null {
  const word = readBytes(answer)
  if (!WORD.test(word)) throw malformedAnswer(answer)
  return holderOf(`0x${word.slice(-40)}`)
}

/** Writes a contract's answer as the value of a term. @returns undefined where it gave no answer, as one that has no such method */
export function termText<T>(answer: Answer<T>, write: (value: T) => string | null): string | null | undefined {
  return answer.ok ? write(answer.value) : undefined
}
