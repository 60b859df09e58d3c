import { type Dec, formatDec } from './dec.ts'

/** A time in milliseconds since 1970 as protobuf writes it. */
export function timestamp(ms: number): { seconds: bigint; nanos: number } {
  const seconds = Math.floor(ms / 1000)
  return { seconds: BigInt(seconds), nanos: (ms - seconds * 1000) * 1_000_000 }
}

/** A span in seconds as protobuf writes it. */
export function duration(seconds: number): { seconds: bigint; nanos: number } {
  return { seconds: BigInt(seconds), nanos: 0 }
}

/** A price as a message shows it, without needless zeros. */
export function shortDec(value: Dec): string {
  return formatDec(value).replace(/\.?0+$/, '')
}
