import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'

/** A key of Solana. */
export interface SvmKey {
  /** Base58. */
  readonly address: string
  sign(bytes: Uint8Array): Uint8Array
}

/** An instruction, as a transaction is made of them. */
export interface Instruction {
  readonly program: string
  readonly accounts: readonly { readonly address: string; readonly signer?: boolean; readonly writable?: boolean }[]
  readonly data: Uint8Array
}

/** Programs and accounts of the chain's own. @see https://docs.anza.xyz/runtime/programs, https://docs.anza.xyz/runtime/sysvars (read 2026-11-24) */
export const SVM = {
  system: '11111111111111111111111111111111',
  stake: 'Stake11111111111111111111111111111111111111',
  vote: 'Vote111111111111111111111111111111111111111',
  token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  computeBudget: 'ComputeBudget111111111111111111111111111111',
  clock: 'SysvarC1ock11111111111111111111111111111111',
  rent: 'SysvarRent111111111111111111111111111111111',
  stakeHistory: 'SysvarStakeHistory1111111111111111111111111',
  stakeConfig: 'StakeConfig11111111111111111111111111111111',
} as const

/** Bytes before the 32 bytes of an Ed25519 seed in PKCS #8. @see https://www.rfc-editor.org/rfc/rfc8410 section 10.3 (read 2026-11-24) */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Makes the key of a seed. @param seed 32 bytes, or a text whose SHA-256 it is */
export function svmKey(seed: Uint8Array | string): SvmKey {
  const bytes = typeof seed === 'string' ? createHash('sha256').update(seed).digest() : seed
  const key: KeyObject = createPrivateKey({ key: Buffer.concat([PKCS8, bytes]), format: 'der', type: 'pkcs8' })
  const raw = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  return { address: base58(raw), sign: (payload) => sign(null, payload, key) }
}

/** Writes bytes in base58. */
export function base58(bytes: Uint8Array): string {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`)
  let text = ''
  for (; number > 0n; number /= 58n) text = (ALPHABET[Number(number % 58n)] ?? '') + text
  for (const byte of bytes) {
    if (byte !== 0) break
    text = `1${text}`
  }
  return text
}

/** Reads base58 of 32 bytes. */
export function fromBase58(text: string): Buffer {
  let number = 0n
  for (const character of text) number = number * 58n + BigInt(ALPHABET.indexOf(character))
  return Buffer.from(number.toString(16).padStart(64, '0'), 'hex')
}

/**
 * Writes a legacy transaction and signs it.
 *
 * @param signers the payer first
 * @returns its bytes; the first signature, in base58, is its id
 * @see https://solana.com/docs/core/transactions (legacy message format, read 2026-11-24)
 */
export function svmTransaction(
  instructions: readonly Instruction[],
  signers: readonly SvmKey[],
  blockhash: string,
): { readonly bytes: Buffer; readonly id: string } {
  const message = messageOf(instructions, signers, blockhash)
  const signatures = signers.map((signer) => signer.sign(message))
  return { bytes: Buffer.concat([compact(signatures.length), ...signatures, message]), id: base58(signatures[0] ?? Buffer.alloc(64)) }
}

function messageOf(instructions: readonly Instruction[], signers: readonly SvmKey[], blockhash: string): Buffer {
  const names = signers.map(({ address }) => address)
  const others = instructions
    .flatMap(({ accounts, program }) => [...accounts, { address: program }])
    .filter(({ address }) => !names.includes(address))
  const written = new Set(instructions.flatMap(({ accounts }) => accounts.filter(({ writable }) => writable).map(({ address }) => address)))
  const unique = [...new Set(others.map(({ address }) => address))]
  const [writes, reads] = [unique.filter((name) => written.has(name)), unique.filter((name) => !written.has(name))]
  const keys = [...names, ...writes, ...reads]
  const calls = instructions.map(({ program, accounts, data }) =>
    Buffer.concat([
      Buffer.of(keys.indexOf(program)),
      compact(accounts.length),
      Buffer.from(accounts.map(({ address }) => keys.indexOf(address))),
      compact(data.length),
      data,
    ]),
  )
  const head = Buffer.of(names.length, 0, reads.length)
  return Buffer.concat([head, compact(keys.length), ...keys.map(fromBase58), fromBase58(blockhash), compact(calls.length), ...calls])
}

function compact(value: number): Buffer {
  return value < 128 ? Buffer.of(value) : Buffer.of((value & 127) | 128, value >> 7)
}

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const u64 = (value: bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

/** Makes the instruction that transfers lamports. */
export function transfer(from: string, to: string, lamports: bigint): Instruction {
  const accounts = [
    { address: from, signer: true, writable: true },
    { address: to, writable: true },
  ]
  return { program: SVM.system, accounts, data: Buffer.concat([u32(2), u64(lamports)]) }
}

/**
 * Makes the instructions that create a stake account of 200 bytes under the wallet's authority, and delegate it; both sign.
 *
 * @see https://docs.rs/solana-stake-interface (read 2026-11-24)
 */
export function stakeInstructions(wallet: string, account: string, vote: string, lamports: bigint): readonly Instruction[] {
  const key = fromBase58(wallet)
  return [
    {
      program: SVM.system,
      accounts: [
        { address: wallet, signer: true, writable: true },
        { address: account, signer: true, writable: true },
      ],
      data: Buffer.concat([u32(0), u64(lamports), u64(200n), fromBase58(SVM.stake)]),
    },
    {
      program: SVM.stake,
      accounts: [{ address: account, writable: true }, { address: SVM.rent }],
      data: Buffer.concat([u32(0), key, key, Buffer.alloc(48)]),
    },
    {
      program: SVM.stake,
      accounts: [
        { address: account, writable: true },
        ...[vote, SVM.clock, SVM.stakeHistory, SVM.stakeConfig].map((address) => ({ address })),
        { address: wallet, signer: true },
      ],
      data: u32(2),
    },
  ]
}

/** Makes the instruction that ends a delegation. */
export function deactivate(account: string, authority: string): Instruction {
  const accounts = [{ address: account, writable: true }, { address: SVM.clock }, { address: authority, signer: true }]
  return { program: SVM.stake, accounts, data: u32(5) }
}

/** Makes the instruction that withdraws lamports from a stake account. */
export function withdrawStake(account: string, to: string, lamports: bigint): Instruction {
  const accounts = [
    { address: account, writable: true },
    { address: to, writable: true },
    { address: SVM.clock },
    { address: SVM.stakeHistory },
    { address: to, signer: true },
  ]
  return { program: SVM.stake, accounts, data: Buffer.concat([u32(4), u64(lamports)]) }
}
