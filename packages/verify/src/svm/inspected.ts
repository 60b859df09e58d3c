// Subpath `@svc/verify/svm/inspected`: what the Inspector knows of Solana besides how its transactions are read.
import { bytesOf, digitsOf } from '../bytes/hex.ts'
import type { InspectedFamily, JoinedParts, KnownNetwork, Risk } from '../intent/inspected.ts'
import type { Family } from '../intent/types.ts'
import type { Call } from '../types.ts'
import type { FeeTerms } from './dictated.ts'
import { svm } from './family.ts'

/** Solana, of which the bytes do not say whether it is mainnet, testnet or devnet. @see https://chainagnostic.org/CAIPs/caip-30 (read 2026-11-22) */
const MAINNET: KnownNetwork = {
  name: 'Solana',
  terms: { chainId: 'mainnet-beta', caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', decimals: 9, symbol: 'SOL' },
  usualFee: '0.0001',
}

/** Block hashes live about a minute. @see https://solana.com/docs/core/transactions (read 2026-11-22) */
const FRESH_S = 60

// https://docs.rs/solana-system-interface, https://docs.rs/solana-stake-interface, https://docs.rs/spl-token (enums of instructions, read 2026-11-22).
const SYSTEM = '11111111111111111111111111111111'
const STAKE = 'Stake11111111111111111111111111111111111111'
const AUTHORITY: Risk = {
  name: 'change of authority',
  why: 'It hands the say over a stake account, to withdraw or to delegate, to another key.',
}
const LOCKUP: Risk = { name: 'lockup', why: 'It locks the stake, and only a custodian can free it before its time.' }
const SENDS: Risk = { name: 'transfer', why: 'It sends SOL out of an account.' }
const TOKENS: Readonly<Record<string, Risk>> = {
  '03': { name: 'transfer of tokens', why: 'It sends tokens out of an account.' },
  '04': { name: 'approval', why: 'It lets somebody else take tokens out of an account, at any time.' },
  '06': { name: 'change of authority', why: 'It hands a token account or a mint to another key.' },
  '09': { name: 'closing of an account', why: 'It closes a token account and sends its SOL to somebody.' },
  '0c': { name: 'transfer of tokens', why: 'It sends tokens out of an account.' },
  '0d': { name: 'approval', why: 'It lets somebody else take tokens out of an account, at any time.' },
}
const RISKS: Readonly<Record<string, Readonly<Record<string, Risk>>>> = {
  [SYSTEM]: {
    '01000000': { name: 'change of owner', why: 'It gives an account to a program, which then decides over it.' },
    '02000000': SENDS,
    '07000000': { name: 'change of authority', why: 'It hands a nonce account to another key.' },
    '0b000000': SENDS,
  },
  [STAKE]: {
    '01000000': AUTHORITY,
    '03000000': { name: 'split', why: 'It moves a part of a stake account into another one.' },
    '06000000': LOCKUP,
    '07000000': { name: 'merge', why: 'It joins a stake account with another one.' },
    '08000000': AUTHORITY,
    '0a000000': AUTHORITY,
    '0b000000': AUTHORITY,
    '0c000000': LOCKUP,
  },
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: TOKENS,
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: TOKENS,
}

/** Looks up a risk by the first byte where a program has few instructions, else by the first four. */
function risk({ target, args: { data } }: Call): Risk | null {
  const digits = typeof data === 'string' ? data.slice(2) : ''
  return RISKS[target]?.[digits.slice(0, 8)] ?? RISKS[target]?.[digits.slice(0, 2)] ?? null
}

const SIGNATURE = 64

/** Reads the body of a prepare request: `unsigned_tx_hex` with signatures, for the places that are still empty, in their order. */
function joined({ unsigned_tx_hex: unsigned, signatures }: Readonly<Record<string, unknown>>): JoinedParts | null {
  if (typeof unsigned !== 'string' || !Array.isArray(signatures)) return null
  const bytes = bytesOf(`0x${unsigned.trim()}`)
  if (bytes === null) return { why: 'unsigned_tx_hex of this prepare request is no hex.' }
  let slot = 0
  for (const each of signatures) {
    const signature = typeof each === 'string' ? bytesOf(`0x${each.replace(/^0x/, '')}`) : null
    if (signature?.length !== SIGNATURE) return { why: 'A signature of this prepare request is not hex of 64 bytes.' }
    // Those that the service made itself are there already.
    while (slot < (bytes[0] ?? 0) && bytes.subarray(at(slot), at(slot + 1)).some((byte) => byte !== 0)) slot++
    if (slot >= (bytes[0] ?? 0)) return { why: `This prepare request has ${signatures.length} signatures; the transaction needs fewer.` }
    bytes.set(signature, at(slot))
  }
  return { text: digitsOf(bytes), what: 'the body of a prepare request' }
}

/** Signatures stand behind one byte with their number. */
function at(slot: number): number {
  return 1 + SIGNATURE * slot
}

/** Tells whether two transactions, which begin with one byte for the number of signatures of 64 bytes each, have one message. */
function isSame(one: string, other: string): boolean {
  const message = (text: string) => {
    const digits = text.trim().replace(/^0x/i, '').toLowerCase()
    return digits.slice(2 * at(Number.parseInt(digits.slice(0, 2), 16)))
  }
  return message(one) !== '' && message(one) === message(other)
}

const inspected: InspectedFamily = {
  title: 'Solana',
  called: 'Program',
  network: () => MAINNET,
  risk,
  freshSeconds: FRESH_S,
  joined,
  isSame,
}

/** Family of Solana for inspection, with the facts known without any protocol. */
export const inspectedSvm: Family<FeeTerms> = { ...svm, inspected }
