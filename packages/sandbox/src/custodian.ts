import type { SandboxChain } from './chain.ts'
import type { ChainEngine, CustodianSignature } from './engine.ts'
import { SandboxError } from './error.ts'
import { show } from './input.ts'
import { membersOf } from './members.ts'
import type { Running, Wallets } from './running.ts'

/** A wallet as everybody may see it. */
export interface PublicWallet {
  readonly family: string
  /** Name that a person gives the wallet: `Wallet 1`. */
  readonly label: string
  /** Addresses by chain id. */
  readonly addresses: Readonly<Record<string, string>>
  /** Key by which a craft names the signer; null where a craft does not. */
  readonly publicKey: string | null
}

/** The wallets of a sandbox in the place of a custodian: their keys stay here, and what they are given is signed. */
export interface Custodian {
  readonly wallets: readonly PublicWallet[]
  /**
   * @param address on any chain of the family
   * @throws SandboxError `NOT_FOUND` without such a wallet, `NOT_SUPPORTED` where the family does not sign, `INVALID_INPUT` for the payload
   */
  sign(family: string, address: string, payload: Uint8Array): Promise<CustodianSignature>
}

/** Largest that is signed: a whole transaction of Solana. @see https://solana.com/docs/core/transactions (read 2026-11-22) */
const MOST_BYTES = 1232
/** Hashes and digests. */
const HASH_BYTES = 32

/** Makes the custodian of the wallets that were funded on these chains. */
export function createCustodian(running: Iterable<Running>, wallets: Wallets): Custodian {
  const families = new Map<string, { readonly engine: ChainEngine; readonly chains: SandboxChain[] }>()
  for (const { engine, chain } of running) {
    const family = families.get(engine.family) ?? { engine, chains: [] }
    family.chains.push(chain)
    families.set(engine.family, family)
  }
  const all = [...families].flatMap(([family, { engine, chains }]) =>
    (wallets[family] ?? []).map((wallet, index) => {
      const { publicKey } = membersOf(wallet)
      const addresses = Object.fromEntries(chains.map((chain) => [chain.id, engine.addressOf(wallet, chain)]))
      return {
        engine,
        wallet,
        told: { family, label: `Wallet ${index + 1}`, addresses, publicKey: typeof publicKey === 'string' ? publicKey : null },
      }
    }),
  )
  return {
    wallets: all.map(({ told: wording }) => wording),
    async sign(family, address, payload) {
      const own = all.filter(({ told: answer }) => answer.family === family)
      const match = own.find(({ told: statement }) => Object.values(statement.addresses).some((each) => sameAddress(each, address)))
      if (!match) {
        const listing = own.flatMap(({ told: holder }) => Object.values(holder.addresses)).join(', ') || 'none'
        throw new SandboxError('NOT_FOUND', `no wallet ${show(address)} of ${family} here; there are: ${listing}`)
      }
      const { engine, wallet } = match
      if (!engine.sign) throw new SandboxError('NOT_SUPPORTED', `the wallets of ${family} sign nothing here`)
      if (payload.length === 0 || payload.length > MOST_BYTES)
        throw new SandboxError('INVALID_INPUT', `payload has ${payload.length} bytes: it must have 1 to ${MOST_BYTES}`)
      return engine.sign(wallet, payload)
    },
  }
}

/** Reads a payload from its text: `0x` and hex, or base64. @throws SandboxError `INVALID_INPUT` for another text, and for hex without `0x`, which would be read as base64 */
export function parsePayload(text: unknown): Uint8Array {
  const wrong = (why: string) => new SandboxError('INVALID_INPUT', `payload is ${show(text)}: ${why}`)
  if (typeof text !== 'string' || text.length > MOST_BYTES * 3) throw wrong('it must be 0x and hex, or base64')
  if (/^0x([0-9a-f]{2})+$/i.test(text)) return Uint8Array.from(Buffer.from(text.slice(2), 'hex'))
  if (/^([0-9a-f]{2})+$/i.test(text)) throw wrong('write 0x before hex')
  if (/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text) && text !== '')
    return Uint8Array.from(Buffer.from(text, 'base64'))
  throw wrong('it must be 0x and hex, or base64')
}

/**
 * Requires that a payload has the 32 bytes of a hash, for an engine that signs hashes and digests.
 *
 * @throws SandboxError `INVALID_INPUT`
 * @param what name of the payload in the refusal: `the hash of an EVM transaction`
 */
export function requireHash(payload: Uint8Array, what: string): void {
  if (payload.length === HASH_BYTES) return
  throw new SandboxError('INVALID_INPUT', `payload has ${payload.length} bytes: ${what} has ${HASH_BYTES}`)
}

/** Hex addresses say the same in any case. */
function sameAddress(one: string, other: string): boolean {
  return one === other || (one.startsWith('0x') && one.toLowerCase() === other.toLowerCase())
}
