/** Integers at the ends of what they are held in, in protocols of 64 bits. */
export const INTEGERS: readonly (readonly [string, bigint])[] = [
  ['is 0', 0n],
  ['is 2^53', 1n << 53n],
  ['is 2^63', 1n << 63n],
  ['is 2^64 - 1', (1n << 64n) - 1n],
]

/** Bytes that somebody has made false. */
interface FalseBytes {
  readonly what: string
  /** First of the eight bytes that hold another integer; null where there are more or fewer bytes than before. */
  readonly at: number | null
  make(): Buffer
}

/** Bytes of a key or a hash: there is no integer in them. */
const KEY = 32
/** Range in which integers are looked for, less far in long lists; and their distance: the layouts of larger ones put odd bytes before them. */
const LOOKED_AT = 640
const LOOKED_AT_OF_LISTS = 96
const SMALL = 256

/** Makes false versions of bytes whose layout is not known: longer, shorter, and with another integer wherever one may be. */
export function bytesLies(bytes: Uint8Array): readonly FalseBytes[] {
  const own = Buffer.from(bytes)
  const sized = (what: string, make: () => Uint8Array): FalseBytes => ({ what, at: null, make: () => Buffer.from(make()) })
  const lies = [
    sized('is empty', () => new Uint8Array()),
    sized('has a byte more', () => Buffer.concat([own, Buffer.alloc(1)])),
    sized('is there twice', () => Buffer.concat([own, own])),
    ...(own.length > 0 ? [sized('lacks its last byte', () => own.subarray(0, -1))] : []),
    ...(own.length > 8 ? [sized('lacks its last 8 bytes', () => own.subarray(0, -8))] : []),
  ]
  if (own.length <= KEY) return own.length === 0 ? lies : [...lies, bitTurned(own)]
  const last = (own.length > LOOKED_AT ? LOOKED_AT_OF_LISTS : own.length) - 8
  const step = own.length > SMALL ? 2 : 4
  const places = Array.from({ length: Math.floor(last / step) + 1 }, (_, index) => index * step)
  return [...lies, ...[...new Set([...places, own.length - 8])].flatMap((at) => integersAt(own, at))]
}

/** The same bytes with another integer of 64 bits in them, the least byte first. */
function integersAt(own: Buffer, at: number): readonly FalseBytes[] {
  const value = own.readBigUInt64LE(at)
  const integers = [...INTEGERS, ['+ 1', BigInt.asUintN(64, value + 1n)] as const]
  return integers
    .filter(([, integer]) => integer !== value)
    .map(([what, integer]) => ({ what: `byte ${at} ${what}`, at, make: () => withInteger(own, at, integer) }))
}

/** Writes an integer of 64 bits, little-endian, into bytes. @returns a copy */
export function withInteger(own: Buffer, at: number, integer: bigint): Buffer {
  const changed = Buffer.from(own)
  changed.writeBigUInt64LE(BigInt.asUintN(64, integer), at)
  return changed
}

function bitTurned(own: Buffer): FalseBytes {
  const make = () => {
    const changed = Buffer.from(own)
    return changed.fill((changed.at(-1) ?? 0) ^ 1, -1)
  }
  return { what: 'has a bit turned', at: own.length - 1, make }
}
