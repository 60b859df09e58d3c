import { bytesOfBase58 } from '../../../src/bytes/base58.ts'
import type { SvmCraft } from '../../../src/svm/index.ts'
import { bytes } from '../../support/vectors.ts'

/** An account as an instruction names it. */
export interface Meta {
  readonly address: string
  readonly signer: boolean
  readonly writable: boolean
}

export interface Step {
  readonly program: string
  readonly accounts: readonly Meta[]
  readonly data: Uint8Array
}

/** A transaction in the words of its writer. */
export interface Draft {
  readonly feePayer: string
  readonly blockhash: string
  readonly steps: readonly Step[]
  /** Filled slots; the others are zeros. */
  readonly signatures?: Readonly<Record<string, Uint8Array>>
  /** Accounts beyond those of the steps, or with more rights than the steps need. */
  readonly extra?: readonly Meta[]
}

/** The bytes of a transaction by their parts, every one of which may be wrong. */
export interface Parts {
  readonly signatures: readonly Uint8Array[]
  readonly header: readonly [signers: number, readonlySigners: number, readonlyOthers: number]
  readonly keys: readonly Uint8Array[]
  readonly blockhash: Uint8Array
  readonly steps: readonly { readonly program: number; readonly accounts: readonly number[]; readonly data: Uint8Array }[]
}

export function craftOf(parts: Parts): SvmCraft {
  return { unsigned_tx_hex: wire(parts).toString('hex') }
}

export function wire({ signatures, header, keys, blockhash, steps }: Parts): Buffer {
  return Buffer.concat([
    compact(signatures.length),
    ...signatures,
    Uint8Array.from(header),
    compact(keys.length),
    ...keys,
    blockhash,
    compact(steps.length),
    ...steps.flatMap(({ program, accounts, data }) => [
      Uint8Array.of(program),
      compact(accounts.length),
      Uint8Array.from(accounts),
      compact(data.length),
      data,
    ]),
  ])
}

/** Parts of well-formed bytes all of whose lengths are below 128, as those of the vectors are. */
export function partsOf(hex: string): Parts {
  const from = Buffer.from(hex, 'hex')
  let at = 0
  const take = (length: number) => {
    at += length
    return Uint8Array.from(from.subarray(at - length, at))
  }
  const byte = () => from[at++]!
  const list = <T>(read: () => T): readonly T[] => Array.from({ length: byte() }, read)
  return {
    signatures: list(() => take(64)),
    header: [byte(), byte(), byte()],
    keys: list(() => take(32)),
    blockhash: take(32),
    steps: list(() => ({ program: byte(), accounts: list(byte), data: take(byte()) })),
  }
}

/** Gives every account the rights that any step asks for, and sorts: signers first, and among them and the others the writable ones first. */
export function compile({ feePayer, blockhash, steps, signatures = {}, extra = [] }: Draft): Parts {
  const metas = new Map<string, Meta>()
  const add = ({ address, signer, writable }: Meta) => {
    const before = metas.get(address)
    metas.set(address, { address, signer: signer || (before?.signer ?? false), writable: writable || (before?.writable ?? false) })
  }
  add({ address: feePayer, signer: true, writable: true })
  for (const { program, accounts } of steps) {
    for (const account of accounts) add(account)
    add({ address: program, signer: false, writable: false })
  }
  for (const account of extra) add(account)

  const rank = ({ signer, writable }: Meta) => (signer ? 0 : 2) + (writable ? 0 : 1)
  const sorted = [...metas.values()].sort((a, b) => rank(a) - rank(b))
  const place = new Map(sorted.map(({ address }, i) => [address, i]))
  const count = (wanted: number) => sorted.filter((meta) => rank(meta) === wanted).length
  return {
    signatures: sorted.filter(({ signer }) => signer).map(({ address }) => signatures[address] ?? new Uint8Array(64)),
    header: [count(0) + count(1), count(1), count(3)],
    keys: sorted.map(({ address }) => key(address)),
    blockhash: key(blockhash),
    steps: steps.map(({ program, accounts, data }) => ({
      program: place.get(program)!,
      accounts: accounts.map(({ address }) => place.get(address)!),
      data,
    })),
  }
}

export function compact(value: number): Buffer {
  const groups = value < 0x80 ? [value] : value < 0x4000 ? [value & 0x7f, value >> 7] : [value & 0x7f, (value >> 7) & 0x7f, value >> 14]
  return Buffer.from(groups.map((group, i) => (i < groups.length - 1 ? group | 0x80 : group)))
}

export function key(address: string): Uint8Array {
  return bytesOfBase58(address) ?? bytes('')
}

export function u32(value: number): Buffer {
  const data = Buffer.alloc(4)
  data.writeUInt32LE(value)
  return data
}

export function u64(value: bigint): Buffer {
  const data = Buffer.alloc(8)
  data.writeBigUInt64LE(BigInt.asUintN(64, value))
  return data
}
