import { ComputeBudgetProgram, PublicKey, SystemProgram, type TransactionInstruction } from '@svc/solana'
import type { SvmDraft } from './draft.ts'
import type { DurableNonce } from './nonce.ts'

/** Parts of a transaction besides its draft. */
interface Frame {
  readonly blockhash: string
  readonly nonce: DurableNonce | null
  /** Compute units. */
  readonly unitLimit: number
  /** Millionths of a lamport for each unit. */
  readonly unitPrice: number
}

/** A message of the legacy format, which is what is signed. */
interface Message {
  readonly bytes: Buffer
  /** Addresses that must sign, in the order of the signatures. */
  readonly signers: readonly string[]
}

/** A key as the whole of a transaction uses it. */
interface Account {
  readonly text: string
  readonly bytes: Buffer
  signer: boolean
  writable: boolean
}

/** Bytes of a signature. */
const SIGNATURE_BYTES = 64

/**
 * As `@solana/web3.js` sorts the accounts of a group, so that its users get the bytes that they would have made themselves. The chain does
 * not mind.
 *
 * @see https://github.com/solana-foundation/solana-web3.js/blob/maintenance/v1.x/src/transaction/legacy.ts (compileMessage, read 2026-11-21)
 */
const ORDER = new Intl.Collator('en', {
  localeMatcher: 'best fit',
  usage: 'sort',
  sensitivity: 'variant',
  ignorePunctuation: false,
  numeric: false,
  caseFirst: 'lower',
})

/**
 * Writes the message of a draft. An advance of the nonce must come first: only there does the chain accept a nonce in place of a block hash. It is written here, since the
 * library encodes every key anew for each comparison, which takes longer than the rest of a craft.
 *
 * @see https://solana.com/docs/core/transactions/transaction-structure (read 2026-11-21)
 */
export function messageOf({ feePayer, instructions }: SvmDraft, { blockhash, nonce, unitLimit, unitPrice }: Frame): Message {
  const wallet = new PublicKey(feePayer)
  const all = [
    ...(nonce ? [SystemProgram.nonceAdvance({ noncePubkey: new PublicKey(nonce.account), authorizedPubkey: wallet })] : []),
    ComputeBudgetProgram.setComputeUnitLimit({ units: unitLimit }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: unitPrice }),
    ...instructions,
  ]
  const accounts = accountsOf(wallet, all)
  const indexes = new Map(accounts.map(({ text }, index) => [text, index]))
  const indexOf = (key: PublicKey) => {
    const index = indexes.get(textOf(key))
    if (index === undefined) throw new Error(`expected an account ${textOf(key)}`)
    return index
  }
  const signers = accounts.filter(({ signer }) => signer)
  const readOnly = (group: readonly Account[]) => group.filter(({ writable }) => !writable).length
  const bytes = Buffer.concat([
    Buffer.of(signers.length, readOnly(signers), readOnly(accounts.slice(signers.length))),
    compact(accounts.length),
    ...accounts.map((account) => account.bytes),
    new PublicKey(blockhash).toBuffer(),
    compact(all.length),
    ...all.flatMap(({ programId, keys, data }) => [
      Buffer.of(indexOf(programId)),
      compact(keys.length),
      Buffer.from(keys.map(({ pubkey }) => indexOf(pubkey))),
      compact(data.length),
      data,
    ]),
  ])
  return { bytes, signers: signers.map(({ text }) => text) }
}

/** Writes the bytes of a transaction as it is sent: a signature for each signer, zeros where it is missing, and the message. */
export function bytesOf({ bytes, signers }: Message, signatures: Readonly<Record<string, Buffer>> = {}): Buffer {
  return Buffer.concat([compact(signers.length), ...signers.map((signer) => signatures[signer] ?? Buffer.alloc(SIGNATURE_BYTES)), bytes])
}

/** Every key once, with the most that any instruction wants of it: the wallet, other signers, the rest; those written to before others. */
function accountsOf(wallet: PublicKey, instructions: readonly Pick<TransactionInstruction, 'programId' | 'keys'>[]): readonly Account[] {
  const byKey = new Map<string, Account>()
  const add = (key: PublicKey, signer: boolean, writable: boolean): Account => {
    const text = textOf(key)
    const account = byKey.get(text) ?? { text, bytes: key.toBuffer(), signer: false, writable: false }
    account.signer ||= signer
    account.writable ||= writable
    byKey.set(text, account)
    return account
  }
  const payer = add(wallet, true, true)
  for (const { programId, keys } of instructions) {
    add(programId, false, false)
    for (const { pubkey, isSigner, isWritable } of keys) add(pubkey, isSigner, isWritable)
  }
  const others = [...byKey.values()].filter((account) => account !== payer)
  const rank = ({ signer, writable }: Account) => (signer ? 0 : 2) + (writable ? 0 : 1)
  return [payer, ...others.sort((a, b) => rank(a) - rank(b) || ORDER.compare(a.text, b.text))]
}

/** Texts of keys that live as long as their program's constant, or as a draft. */
const texts = new WeakMap<PublicKey, string>()

/** A key in base58, spelled once for each. */
function textOf(key: PublicKey): string {
  const earlier = texts.get(key)
  if (earlier !== undefined) return earlier
  const text = key.toBase58()
  texts.set(key, text)
  return text
}

/** A length in one to three bytes, seven bits in each. @see https://solana.com/docs/core/transactions/transaction-structure (compact-u16, read 2026-11-21) */
function compact(length: number): Buffer {
  const bytes: number[] = []
  for (let rest = length; ; rest >>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest])
    bytes.push((rest & 0x7f) | 0x80)
  }
}
