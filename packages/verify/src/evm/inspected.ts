// Subpath `@svc/verify/evm/inspected`: what the Inspector knows of EVM chains besides how their transactions are read.
import { bytesOf, digitsOf } from '../bytes/hex.ts'
import { DecodeError } from '../errors.ts'
import type { InspectedFamily, JoinedParts, KnownNetwork, Risk } from '../intent/inspected.ts'
import type { Family } from '../intent/types.ts'
import type { Call } from '../types.ts'
import { decodeCall, decodeEvm, type EvmCraft } from './decode.ts'
import type { GasTerms } from './dictated.ts'
import { evm } from './family.ts'
import { sign } from './signing.ts'

// https://chainid.network/chains.json (read 2026-11-22), by chain id.
const NETWORKS: Readonly<Record<string, readonly [name: string, symbol: string, usualFee: string]>> = {
  '1': ['Ethereum', 'ETH', '0.003'],
  '560048': ['Hoodi', 'ETH', '0.003'],
  '143': ['Monad', 'MON', '0.3'],
  '10143': ['Monad Testnet', 'MON', '0.3'],
  '1672': ['Pharos', 'PROS', '0.005'],
}
const DECIMALS = 18

/** Finds a chain by its number; one that is not known is called by it, and its token has no name. */
function network(chainId: string): KnownNetwork {
  const [name, symbol, usualFee] = NETWORKS[chainId] ?? [`EVM chain ${chainId}`, 'native tokens', '0.1']
  return { name, terms: { chainId, caip2: `eip155:${chainId}`, decimals: DECIMALS, symbol }, usualFee }
}

// EIP-20, EIP-721, EIP-1155, EIP-2612 and EIP-173: https://eips.ethereum.org (read 2026-11-22).
const APPROVE = 'approve(address spender, uint256 amount)'
const INCREASE = 'increaseAllowance(address spender, uint256 amount)'
const PERMIT = 'permit(address owner, address spender, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s)'
const FOR_ALL = 'setApprovalForAll(address spender, bool approved)'
const TRANSFER = 'transfer(address to, uint256 amount)'
const FROM = 'transferFrom(address from, address to, uint256 amount)'
const OWNER = 'transferOwnership(address to)'
const METHODS = [APPROVE, INCREASE, PERMIT, FOR_ALL, TRANSFER, FROM, OWNER]
/** Half of what can be written: wallets and exchanges write 2^256 - 1, some 2^255 or 2^255 - 1, for "without limit". */
const ENDLESS = 1n << 254n

function risk({ args, target }: Call): Risk | null {
  const data = args.data
  const innerCall = typeof data === 'string' ? decodeCall(data, METHODS) : null
  if (innerCall === null) return null
  const { spender, amount, to } = innerCall.args
  switch (innerCall.method) {
    case APPROVE:
    case INCREASE:
    case PERMIT: {
      const endless = typeof amount === 'bigint' && amount >= ENDLESS
      return endless
        ? {
            name: 'unlimited approval',
            why: `It lets ${spender} take every token that the wallet has or will have at ${target}, without limit and at any time.`,
          }
        : {
            name: 'approval',
            why: `It lets ${spender} take up to ${amount} base units of the token ${target} out of the wallet, at any time.`,
          }
    }
    case FOR_ALL:
      return { name: 'approval of everything', why: `It lets ${spender} take every token of ${target} out of the wallet, at any time.` }
    case OWNER:
      return { name: 'change of owner', why: `It makes ${to} the owner of the contract ${target}.` }
    default:
      return { name: 'transfer of tokens', why: `It sends ${amount} base units of the token ${target} to ${to}.` }
  }
}

/** Reads the body of a prepare request: `serialized_tx_hex` with r, s and v. */
function joined({ serialized_tx_hex: serialized, r, s, v }: Readonly<Record<string, unknown>>): JoinedParts | null {
  if (typeof serialized !== 'string' || r === undefined) return null
  const unsigned = bytesOf(serialized.trim())
  const [left, right, last] = [numberOf(r), numberOf(s), numberOf(v)]
  if (unsigned === null || left === null || right === null || last === null)
    return { why: 'r, s and v of this prepare request are no numbers, or serialized_tx_hex is no hex.' }
  const parity = last >= 35n ? (last - 35n) % 2n : last >= 27n ? last - 27n : last
  if (parity !== 0n && parity !== 1n) return { why: `v of this prepare request is ${last}; it must be 27 or 28, 0 or 1, or 35 and more.` }
  try {
    const text = `0x${digitsOf(sign(unsigned, { r: left, s: right, parity: parity === 0n ? 0 : 1 }))}`
    return { text, what: 'the body of a prepare request' }
  } catch (error) {
    return { why: `The transaction of this prepare request cannot be read: ${error instanceof Error ? error.message : String(error)}.` }
  }
}

function numberOf(value: unknown): bigint | null {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  return typeof value === 'string' && /^(0x[0-9a-f]{1,64}|\d{1,78})$/i.test(value) ? BigInt(value) : null
}

/** Lists where the object that wallets take says something else than the bytes: one signer signs the hash, another the payload. */
function contradictions(answer: Readonly<Record<string, unknown>>): readonly string[] {
  if (answer.payload === undefined) return []
  try {
    decodeEvm(answer as unknown as EvmCraft, [])
    return []
  } catch (error) {
    if (error instanceof DecodeError) return [error.message]
    throw error
  }
}

const inspected: InspectedFamily = { title: 'EVM', network, risk, joined, contradictions }

/** Family of the EVM chains for inspection, with the facts known without any protocol. */
export const inspectedEvm: Family<GasTerms> = { ...evm, inspected }
